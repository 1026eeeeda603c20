/** Mistakes in what is written down, what is shown, and when something ends. */
export const BUGS_ABOUT_RECORDS = [
  {
    name: 'an alert leaves a gap in the sequence of events',
    edits: [
      {
        file: 'src/execution/journal/unit-of-work.ts',
        find: 'this.#sequence += 1;',
        replace: "this.#sequence += type === 'alert' ? 2 : 1;",
      },
      {
        file: 'src/execution/journal/schema.ts',
        find: 'WHEN NEW.sequence <> coalesce((SELECT max(sequence) FROM events), 0) + 1',
        replace: 'WHEN NEW.sequence < 0',
      },
    ],
  },
  {
    name: 'the paper account counts its cash in whole rupees',
    edits: [
      {
        file: 'src/adapters/paper/match-order.ts',
        find: 'cash: moved.minus(charge),',
        replace: 'cash: moved.minus(charge).round(0),',
      },
    ],
  },
  {
    name: 'that the kill switch was released is not written to the disk',
    edits: [
      {
        file: 'src/execution/journal/journal.ts',
        find: 'return void killSwitch.run(record);',
        replace: 'return void (change.row.engaged && killSwitch.run(record));',
      },
    ],
  },
  {
    name: 'the log of a refused login names its token',
    edits: [
      {
        file: 'src/session/complete-login.ts',
        find: "log.warn('a login by another user than the one with open orders was refused', { broker });",
        replace:
          "log.warn('a login by another user was refused', { broker, reason: grant.accessToken });",
      },
    ],
  },
  {
    name: 'a trigger is bound to any one of its terms, however old that is',
    edits: [
      {
        file: 'src/execution/triggers/match-trigger.ts',
        find: 'if (trigger.baseline?.includes(row.triggerId)) return false;',
        replace: '',
      },
      {
        file: 'src/execution/triggers/match-trigger.ts',
        find: 'return row.createdAt >= from && row.createdAt <= to;',
        replace: 'return row.createdAt >= from || row.createdAt <= to;',
      },
    ],
  },
  {
    name: 'the price of a leg of a trigger is the price that triggers it',
    edits: [
      {
        file: 'src/adapters/alt/gtt.ts',
        find: `      quantity: leg.quantity,
      price: leg.price,`,
        replace: `      quantity: leg.quantity,
      price: leg.triggerPrice,`,
      },
    ],
  },
  {
    name: 'an exit that was under way when the process ended is not taken up again',
    edits: [
      {
        file: 'src/execution/exits/exits.ts',
        find: `age <= GOES_ON_WITHIN_MS) {
        start(exit.id);`,
        replace: `age <= GOES_ON_WITHIN_MS) {
        continue;`,
      },
    ],
  },
  {
    name: 'a closing has no end while one of its positions is not closed',
    edits: [
      {
        file: 'src/execution/closings/run-closing.ts',
        find: 'if (!parts.closing()) await end(id);',
        replace: `const isClosed = closingNow(id).positions.every(({ status }) => status === 'flat');
    if (!parts.closing() && isClosed) await end(id);`,
      },
    ],
  },
  {
    name: 'the comparison of the keys with an account leaves out orders placed elsewhere',
    edits: [
      {
        file: 'src/execution/books/compare.ts',
        find: ': sumOf(compared.elsewhere.filter(is));',
        replace: ': sumOf(compared.elsewhere.filter(() => false));',
      },
    ],
  },
];
