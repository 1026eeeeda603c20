import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';

interface Props extends Pick<ActionDialogProps, 'title' | 'confirm' | 'request' | 'children'> {
  readonly label: string;
  /** What of, for screen readers; follows the label. */
  readonly unseen: string;
}

/** A button that ends something once the person has confirmed it; nothing for a key that may only read. */
export function EndingButton({ label, unseen, title, confirm, request, children }: Props) {
  const { who } = usePage();
  const show = useDialog();
  if (who?.scope === 'read') return null;
  const onClose = (): void => show(null);
  return (
    <button
      type="button"
      onClick={() =>
        show(
          <ActionDialog {...{ title, confirm, onClose, request }} isDangerous>
            {children}
          </ActionDialog>,
        )
      }
    >
      {label}
      <span class="unseen">{unseen}</span>
    </button>
  );
}
