/** Mistakes in the way out of a position (docs/exits.md). */
export const BUGS_ABOUT_EXITS = [
  {
    name: 'an exit goes by an account that was read a minute ago',
    edits: [
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'since: clock.elapsed(),',
        replace: '',
      },
    ],
  },
  {
    name: 'a leg of an exit has the quantity of the one before it',
    edits: [
      {
        file: 'src/execution/exits/send-leg.ts',
        find: 'Math.floor(Math.min(free, most, freeze) / lotSize) * lotSize',
        replace:
          'Math.floor(Math.min(exit().legs.at(-1)?.quantity ?? free, most, freeze) / lotSize) * lotSize',
      },
    ],
  },
  {
    name: 'an exit retries a leg whose outcome is uncertain',
    edits: [
      {
        file: 'src/execution/exits/send-leg.ts',
        find: 'await parts.place(legCommand(parts, exit, sent, instrument));',
        replace: `const { order } = await parts.place(legCommand(parts, exit, sent, instrument));
    const again = { ...sent, number: number + 1 };
    if (order.state.kind === 'uncertain') {
      await run.note({ legs: [...run.exit().legs, again] });
      await parts.place(legCommand(parts, exit, again, instrument));
    }`,
      },
    ],
  },
];
