/** Rupees as they are written in India: `₹1,23,456.50`. */
export function rupees(amount: number): string {
  const digits = Math.abs(amount).toLocaleString('en-IN', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  });
  return `${amount < 0 ? '-' : ''}₹${digits}`;
}

/** As rupees, for a gain or a loss; `?` where there is no figure. */
export function gain(amount: number | null): string {
  if (amount === null) return '?';
  return amount > 0 ? `+${rupees(amount)}` : rupees(amount);
}
