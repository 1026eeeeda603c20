/** Mistakes about keys (docs/keys.md). */
export const BUGS_ABOUT_KEYS = [
  {
    name: 'fills are credited to the key that traded the instrument first',
    edits: [
      {
        file: 'src/execution/books/order-share.ts',
        find: 'JSON.stringify([caller, broker, mode, account, instrument, product]);',
        replace:
          'JSON.stringify([caller.slice(0, 0), broker, mode, account, instrument, product]);',
      },
    ],
  },
  {
    name: 'the order of a fired trigger is of no key',
    edits: [
      {
        file: 'src/execution/books/order-share.ts',
        find: 'const quantity = filledQuantity ?? traded;',
        replace: 'const quantity = (filledQuantity ?? traded) * 0;',
      },
    ],
  },
  {
    name: 'the order of a fired trigger is not read until it is over',
    edits: [
      {
        file: 'src/execution/triggers/trigger-order.ts',
        find: 'const isOver = isFinal && filledQuantity !== null && traded >= filledQuantity;',
        replace: 'const isOver = filledQuantity !== null;',
      },
      {
        file: 'src/execution/triggers/decide-trigger-orders.ts',
        find: "state === 'open' || state === 'lost' || (state === 'over' && own === day);",
        replace:
          "state === 'open' || state === 'lost' || (state === 'over' && own < day && own > day);",
      },
    ],
  },
  {
    name: 'the slices of an order are not of its key',
    edits: [
      {
        file: 'src/execution/submit/slices.ts',
        find: '      parentId: parent.id,\n',
        replace: "      parentId: parent.id,\n      caller: 'admin',\n",
      },
    ],
  },
  {
    name: 'a key that is stopped still places orders',
    edits: [
      {
        file: 'src/execution/submit/brakes.ts',
        find: 'key === undefined || key.stopped === null) return brake;',
        replace: 'key === undefined || key.stopped !== undefined) return brake;',
      },
    ],
  },
  {
    name: 'the limits of a key are not looked at',
    edits: [
      {
        file: 'src/execution/submit/order-limits.ts',
        find: '...(key ? [{ key: { id: caller, name: key.name }, limits: key.limits }] : []),',
        replace: '...(key === null ? [{ key: null, limits: settings }] : []),',
      },
    ],
  },
  {
    name: 'a key that is confined to an account may use the others',
    edits: [
      {
        file: 'src/routes/confinement.ts',
        find: 'caller === null || caller.broker === null || route.isMarketData',
        replace: 'caller === null || caller.broker !== undefined || route.isMarketData',
      },
    ],
  },
];
