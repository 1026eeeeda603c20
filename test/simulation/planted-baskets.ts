/** Mistakes in baskets of orders (docs/many-orders.md). */
export const BUGS_ABOUT_BASKETS = [
  {
    name: 'an ordered basket goes on after an order with an unknown outcome',
    edits: [
      {
        file: 'src/execution/baskets/send-basket.ts',
        find: "...(['accepted', 'sending', 'uncertain', 'disputed', 'rejected', 'not_sent'] as const),",
        replace: "...(['accepted', 'sending', 'disputed', 'rejected', 'not_sent'] as const),",
      },
    ],
  },
  {
    name: 'a basket that is repeated under its keys is sent anew',
    edits: [
      {
        file: 'src/router/basket-calls.ts',
        find: 'const context = { caller, idempotencyKey: clientOrderId, force };',
        replace:
          'const context = { caller, idempotencyKey: `${clientOrderId}@${arrived.elapsed}`, force };',
      },
      {
        file: 'src/router/basket-calls.ts',
        find: 'command: { ...command, idempotencyKey: clientOrderId } }',
        replace: 'command: { ...command, idempotencyKey: context.idempotencyKey } }',
      },
    ],
  },
  {
    name: 'the right orders of a basket are sent though one of them is wrong',
    edits: [
      {
        file: 'src/execution/baskets/baskets.ts',
        find: "items.findIndex(({ kind }) => kind === 'refused')",
        replace: '-1',
      },
    ],
  },
];
