export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly mode?: 'numeric' | 'decimal' | 'text';
  readonly isRequired?: boolean;
}

export function Field({ label, value, onValue, mode = 'decimal', isRequired = true }: FieldProps) {
  return (
    <label>
      {label}
      <input
        value={value}
        required={isRequired}
        inputMode={mode}
        autocomplete="off"
        {...(mode === 'text'
          ? {}
          : { pattern: mode === 'numeric' ? '[0-9]+' : '[0-9]+(\\.[0-9]{1,4})?' })}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  );
}
