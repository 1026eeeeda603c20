/** A number that a person typed, such as `1500.05`; null for anything else. */
export function numberOf(text: string): number | null {
  const plain = text.trim().replaceAll(',', '');
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) ? Number(plain) : null;
}
