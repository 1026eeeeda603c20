/** Live or paper, in words and in a colour: neither is told by the colour alone. */
export function ModeTag({
  mode,
  broker,
}: {
  readonly mode: 'live' | 'paper';
  readonly broker: string;
}) {
  return (
    <span class={`mode ${mode}`}>
      {mode === 'live' ? 'LIVE' : 'PAPER'} {mode === 'live' || broker !== mode ? broker : ''}
    </span>
  );
}
