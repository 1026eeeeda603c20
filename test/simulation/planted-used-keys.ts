/** Mistakes about keys of requests that come again while the first one is under way (decisions 0100 and 0101). */
export const BUGS_ABOUT_USED_KEYS = [
  {
    name: 'requests for a trigger under one key do not wait for each other',
    edits: [
      {
        file: 'src/router/trigger-calls.ts',
        find: 'return inTurn(context, () => placeOne(request, context, arrived));',
        replace: 'return placeOne(request, context, arrived);',
      },
    ],
  },
  {
    name: 'baskets that share a key do not wait for each other',
    edits: [
      {
        file: 'src/router/basket-calls.ts',
        find: 'if (basket.dryRun) return placeNow(basket, caller, arrived);',
        replace: 'if (basket.orders.length > 0) return placeNow(basket, caller, arrived);',
      },
    ],
  },
  {
    name: 'a copy says of a used key that nothing has happened',
    edits: [
      {
        file: 'src/router/while-disarmed.ts',
        find: '      mayHaveExecuted: isKeyed,',
        replace: '      mayHaveExecuted: isKeyed && detail.length === 0,',
      },
    ],
  },
  {
    name: 'a gateway that stops refuses an order whose key was used',
    edits: [
      {
        file: 'src/execution/placings.ts',
        find: 'const ahead = idempotencyKey === null ? null : before({ ...command, idempotencyKey });',
        replace:
          "const ahead = idempotencyKey === null || idempotencyKey !== '' ? null : before({ ...command, idempotencyKey });",
      },
      {
        // Otherwise what looks at the key of a request that fails by itself tells of the order all the same.
        file: 'src/router/used-keys.ts',
        find: "error.code === 'idempotency_conflict') throw error;",
        replace: "['idempotency_conflict', 'order_not_sent'].includes(error.code)) throw error;",
      },
    ],
  },
  {
    name: 'a gateway that stops refuses a change whose key was used',
    edits: [
      {
        file: 'src/execution/execution.ts',
        find: 'if (closing) return track(repeatOnly(orderId, changes, key, closingProblem));',
        replace:
          'if (closing) throw closingProblem();\n      if (orderId.length === 0) return repeatOnly(orderId, changes, key, closingProblem);',
      },
    ],
  },
  {
    name: 'a request that fails by itself does not look whether its key has an order under way',
    edits: [
      {
        file: 'src/router/used-keys.ts',
        find: "  return made === 'under_way'\n",
        replace:
          "  if (made === 'under_way' || made.id.length > 0) return null;\n  return made === 'under_way'\n",
      },
    ],
  },
];
