/** Mistakes about alerts that come in at hooks (docs/signals.md). */
export const BUGS_ABOUT_SIGNALS = [
  {
    name: 'an alert that comes again after a restart is taken for a new one',
    edits: [
      {
        file: 'src/signals/signals.ts',
        find: 'const sending = new Set<Promise<void>>();',
        replace: 'const sending = new Set<Promise<void>>();\n  const here = new Set<string>();',
      },
      {
        file: 'src/signals/signals.ts',
        find: 'if (known !== null) return repeated(hook, read, known);',
        replace: `if (known !== null && here.has(known.id)) return repeated(hook, read, known);
    if (known !== null) read = { ...read, alertId: \`\${read.alertId} again\` };`,
      },
      {
        file: 'src/signals/signals.ts',
        find: 'track(sendOrders.send(signal, arrived));',
        replace: 'here.add(signal.id);\n    track(sendOrders.send(signal, arrived));',
      },
    ],
  },
  {
    name: 'a signal is sent again after a crash though it has its order',
    edits: [
      {
        file: 'src/signals/send-orders.ts',
        find: 'if (made !== null) return withOrder(order, made);',
        replace:
          'if (made !== null) order = { ...order, idempotencyKey: `${order.idempotencyKey}r` };',
      },
    ],
  },
  {
    name: 'an alert is answered before it is on disk',
    edits: [
      {
        file: 'src/signals/signals.ts',
        find: "await journal.write(signal, { event: 'signal.accepted', alert: null });",
        replace:
          "void journal.write(signal, { event: 'signal.accepted', alert: null }).catch(() => undefined);",
      },
    ],
  },
  {
    name: 'a signal over which the gateway was stopped is forgotten',
    edits: [
      {
        file: 'src/compose.ts',
        find: '  await signals.resume();\n',
        replace: '  await signals.newest({ caller: null, state: null, before: null, limit: 1 });\n',
      },
    ],
  },
  {
    name: 'a signal over which the gateway was stopped is sent however old it is',
    edits: [
      {
        file: 'src/signals/send-orders.ts',
        find: 'if (age < 0 || age > RESUME_WITHIN_MS) return',
        replace: 'if (age < 0) return',
      },
      {
        file: 'src/signals/send-orders.ts',
        find: 'return place(signal, order, { at: signal.receivedAt, elapsed });',
        replace:
          'return place(signal, order, { at: clock.now(), elapsed: elapsedMs(elapsed + age) });',
      },
    ],
  },
];
