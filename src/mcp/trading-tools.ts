import {
  adviseKillSwitch,
  adviseMany,
  adviseOrder,
  adviseRunning,
  adviseTrigger,
} from './advice.ts';
import type { ToolDefinition, ToolHints } from './tool-definition.ts';

/**
 * Sends something to a broker. Repeated on the same day with the same arguments it does nothing further: by
 * its key (`derived-key.ts`), or because it asks for a state that is then reached.
 */
const TRADES: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

const clientOrderId =
  'Leave it out: the gateway then makes one of the terms and the day, so that a repeated call places nothing ' +
  'twice. Give one, of your own making, only where the person wants another order with the same terms on the ' +
  'same day, and give the same one when you repeat that call';
const idempotencyKey =
  'Optional. Repeated under the same key, the call does nothing twice; give a new one for each new wish';

/**
 * Listed only with APP_MCP_TRADING, and for keys that may trade. Releasing the kill switch, resolving orders
 * and sending with force stay with the person.
 */
export const TRADING_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'place_order',
    title: 'Place an order',
    description:
      'Places one order, with real money unless the answer says mode paper. Show the person the exact terms and ' +
      'get a yes first. Quantity is in shares or units, not lots. If the answer is `uncertain`, or the call ' +
      'fails or times out, the order must not be placed again: repeat this very call, or read the order.',
    route: 'POST /api/v1/orders',
    hints: TRADES,
    without: ['force'],
    describe: { clientOrderId },
    repeats: 'order',
    advise: adviseOrder,
  },
  {
    name: 'modify_order',
    title: 'Modify an order',
    description:
      'Changes price, trigger price, quantity, type or validity of an open order. `quantity` is the new total.',
    route: 'PATCH /api/v1/orders/{id}',
    hints: TRADES,
    describe: { idempotencyKey },
    advise: adviseOrder,
  },
  {
    name: 'cancel_order',
    title: 'Cancel an order',
    description:
      'Cancels an open order, also an uncertain one: that cancel is kept until the order is found. It may have ' +
      'filled before: look at `filledQuantity`.',
    route: 'DELETE /api/v1/orders/{id}',
    hints: TRADES,
    describe: { idempotencyKey },
    advise: adviseOrder,
  },
  {
    name: 'cancel_all_orders',
    title: 'Cancel many orders',
    description:
      'Cancels all open orders of this key, or those of one instrument, product, side or broker; with triggers ' +
      'true also deletes its triggers, which are answered in meta.triggers.',
    route: 'POST /api/v1/orders/cancel-all',
    hints: TRADES,
    without: ['scope'],
    describe: { idempotencyKey },
    advise: adviseMany,
  },
  {
    name: 'place_trigger',
    title: 'Place a trigger',
    description:
      'Places a GTT or smart order, which waits at the broker for a price and then places a LIMIT order, also on ' +
      'later days. One leg, or two of which the first to be reached ends the other. Show the person the exact ' +
      'terms and get a yes first. If the answer is uncertain, or the call fails or times out, it must not be ' +
      'placed again: repeat this very call, or read it.',
    route: 'POST /api/v1/triggers',
    hints: TRADES,
    without: ['force', 'lastPrice'],
    describe: { clientOrderId },
    repeats: 'trigger',
    advise: adviseTrigger,
  },
  {
    name: 'modify_trigger',
    title: 'Modify a trigger',
    description: 'Changes prices or quantities of a trigger that waits: one entry for each leg.',
    route: 'PATCH /api/v1/triggers/{id}',
    hints: TRADES,
    without: ['force', 'lastPrice'],
    describe: { idempotencyKey },
    advise: adviseTrigger,
  },
  {
    name: 'delete_trigger',
    title: 'Delete a trigger',
    description: 'Deletes a trigger that waits, also one that was placed elsewhere.',
    route: 'DELETE /api/v1/triggers/{id}',
    hints: TRADES,
    describe: { idempotencyKey },
    advise: adviseTrigger,
  },
  {
    name: 'exit_position',
    title: 'Exit a position',
    description:
      'Ends a position, or a part of it: {instrument, product, quantity?}; or takes the place of a resting ' +
      'order: {orderId}. It goes on by itself after the answer: read it with get_exit.',
    route: 'POST /api/v1/exits',
    hints: TRADES,
    describe: { clientOrderId },
    repeats: 'exit',
    advise: adviseRunning('get_exit'),
  },
  {
    name: 'end_exit',
    title: 'End an exit',
    description: 'Ends an exit: its order is cancelled, and no further one is sent.',
    route: 'DELETE /api/v1/exits/{id}',
    hints: TRADES,
    advise: adviseRunning('get_exit'),
  },
  {
    name: 'close_all_positions',
    title: 'Close many positions',
    description:
      "Ends the positions of this key's orders, or those of one instrument, product or side; the short ones of " +
      'each underlying first. It goes on by itself after the answer: read it with get_closing.',
    route: 'POST /api/v1/positions/close-all',
    hints: TRADES,
    without: ['scope'],
    advise: adviseRunning('get_closing'),
  },
  {
    name: 'end_closing',
    title: 'End a closing',
    description: 'Ends a closing: no further exit begins, and those under way end.',
    route: 'DELETE /api/v1/positions/close-all/{id}',
    hints: TRADES,
    advise: adviseRunning('get_closing'),
  },
  {
    name: 'engage_kill_switch',
    title: 'Engage the kill switch',
    description:
      'Refuses every order that opens a position, from all programs, until the person releases it. Cancels and ' +
      'exits still pass.',
    route: 'POST /api/v1/kill-switch',
    hints: { ...TRADES, openWorldHint: false },
    without: ['thrown'],
    fixed: { engaged: true },
    advise: adviseKillSwitch,
  },
];
