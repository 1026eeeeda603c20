/** Mistakes about triggers (docs/triggers.md). */
export const BUGS_ABOUT_TRIGGERS = [
  {
    name: 'a trigger whose answer was lost is sent again',
    edits: [
      {
        file: 'src/execution/triggers/send-trigger.ts',
        find: 'const outcome = await of.calls.place({ terms, instrument, lastPrice, wayOut, mayLeave });',
        replace: `const attempt = { terms, instrument, lastPrice, wayOut, mayLeave };
    const first = await of.calls.place(attempt);
    const outcome = first.kind === 'uncertain' ? await of.calls.place(attempt) : first;`,
      },
    ],
  },
  {
    name: 'a trigger is called absent by the first list that lacks it',
    edits: [
      {
        file: 'src/execution/triggers/decide-trigger-read.ts',
        find: "if (observed.isLasting(id, 'lacking')) {",
        replace: 'if (observed.at > 0) {',
      },
    ],
  },
  {
    name: 'a trigger is ended by the request to delete it, without a list',
    edits: [
      {
        file: 'src/execution/triggers/decide-trigger-change.ts',
        find: `  triggers.putChange(change);
  if (kind === 'uncertain') {`,
        replace: `  triggers.putChange(change);
  if (change.kind === 'delete' && kind === 'uncertain' && trigger.state.kind === 'waiting') {
    const reason = 'it was deleted';
    triggers.move(trigger.id, { type: 'call_gone', reason, isUntold: false });
  }
  if (kind === 'uncertain') {`,
      },
    ],
  },
  {
    name: 'a deletion of a trigger that the disk did not take is forgotten',
    edits: [
      {
        file: 'src/execution/triggers/unwritten-deletions.ts',
        find: `      await sendNow(one);
      void parts`,
        replace: `      await sendNow(one);
      if (clock.now() > 0) return recordOf(wanted, one.outcome, at);
      void parts`,
      },
    ],
  },
  {
    name: 'an exit is flat while a trigger of the gateway waits for its position',
    edits: [
      {
        file: 'src/execution/exits/resting-triggers.ts',
        find: 'if (exit.orderId !== null) return [];',
        replace: 'if (exit.orderId !== null || exit.caller.length > 0) return [];',
      },
    ],
  },
  {
    name: 'the order that a trigger has placed is not read',
    edits: [
      {
        file: 'src/adapters/alt/gtt.ts',
        find: 'brokerOrderId: isOrderId(orderId) ? orderId : null,',
        replace: 'brokerOrderId: null,',
      },
    ],
  },
  {
    name: 'a cancel of many takes a lost deletion for the end of the trigger',
    edits: [
      {
        file: 'src/execution/cancel-all/trigger-items.ts',
        find: "return { result: 'cancelling', reason: null, ...withDisk(onDisk), again: false };",
        replace: "return { result: 'cancelled', reason: null, again: false };",
      },
    ],
  },
  {
    name: 'triggers placed elsewhere are left out of a cancel of many',
    edits: [
      {
        file: 'src/execution/cancel-all/triggers-of-run.ts',
        find: "toRead: command.scope === 'mine' ? [] : command.brokers,",
        replace: "toRead: command.scope === 'mine' ? command.brokers : [],",
      },
    ],
  },
  {
    name: 'a stop that waits is told as triggered',
    edits: [
      {
        file: 'src/router/stop-triggers.ts',
        find: "const waits = exchangeOrderId === null || isWordOfWaiting(brokerStatus ?? '');",
        replace: 'const waits = exchangeOrderId === null;',
      },
    ],
  },
  {
    name: 'a stop of the gateway is listed as a trigger placed elsewhere',
    edits: [
      {
        file: 'src/router/trigger-reads.ts',
        find: 'return state.observedIn.get(broker, day, row.triggerId)?.orderId ?? null;',
        replace:
          'return state.observedIn.get(broker, day.slice(0, 0), row.triggerId)?.orderId ?? null;',
      },
    ],
  },
  {
    name: 'a deletion of a stop is done as soon as it is answered',
    edits: [
      {
        file: 'src/router/stop-triggers.ts',
        find: "settled || isFinal(order.status) ? 'taken' : 'uncertain';",
        replace: "settled || order.id.length > 0 ? 'taken' : 'uncertain';",
      },
      {
        file: 'src/router/stop-triggers.ts',
        find: "kind === 'delete' && !isFinal(order.status) && !settled;",
        replace: "kind === 'delete' && !isFinal(order.status) && settled;",
      },
    ],
  },
  {
    name: 'no list is read while a trigger waits',
    edits: [
      {
        file: 'src/execution/triggers/trigger-watch.ts',
        find: 'return isUnsettled(trigger) ? OPEN_MS : WAITING_MS;',
        replace: 'return isUnsettled(trigger) ? OPEN_MS : null;',
      },
    ],
  },
  {
    name: 'the order of a fired trigger is left out of the lists of its key',
    edits: [
      {
        file: 'src/router/orders-of-triggers.ts',
        find: 'ownerOf(row)?.caller === caller);',
        replace: 'ownerOf(row)?.caller === caller.slice(0, 0));',
      },
    ],
  },
  {
    name: 'a trade of a fired trigger is of no key',
    edits: [
      {
        file: 'src/router/trade-reads.ts',
        find: "const placedBy = isOurs ? state.orders.get(own ?? '') : trigger;",
        replace: "const placedBy = isOurs ? state.orders.get(own ?? '') : null;",
      },
    ],
  },
  {
    name: 'a list of triggers that cannot be read leaves nothing open',
    edits: [
      {
        file: 'src/execution/triggers/unexplained-rows.ts',
        find: `throw error;
        return before;`,
        replace: `throw error;
        return before.slice(0, 0);`,
      },
    ],
  },
  {
    name: 'a cancel of what is of a key leaves the orders of its triggers',
    edits: [
      {
        file: 'src/execution/cancel-all/orders-of-triggers.ts',
        find: '(row)?.caller === caller;',
        replace: '(row)?.caller === caller.slice(0, 0);',
      },
    ],
  },
  {
    name: 'a cancel of what is of a key takes the orders of the triggers of others',
    edits: [
      {
        file: 'src/execution/cancel-all/orders-of-triggers.ts',
        find: '(row)?.caller === caller;',
        replace: '(row)?.caller !== undefined && caller.length > 0;',
      },
    ],
  },
  {
    name: 'a trigger is called absent beside a row that a person has changed',
    edits: [
      {
        file: 'src/execution/triggers/decide-trigger-read.ts',
        find: 'if (inDoubt.length > 0 &&',
        replace: 'if (inDoubt.length < 0 &&',
      },
    ],
  },
  {
    name: 'no row is in doubt where no list was read before a trigger',
    edits: [
      {
        file: 'src/execution/triggers/match-trigger.ts',
        find: 'baseline?.includes(row.triggerId) !== true &&',
        replace: 'baseline?.includes(row.triggerId) === false &&',
      },
    ],
  },
  {
    name: 'a person may take the row that another open trigger may be',
    edits: [
      {
        file: 'src/execution/triggers/resolve-trigger.ts',
        find: 'if (rival !== null) throw',
        replace: "if (rival === '') throw",
      },
    ],
  },
];
