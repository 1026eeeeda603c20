import { READS_BROKER, READS_GATEWAY } from './market-tools.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** The account, its orders, and how the gateway stands. */
export const ACCOUNT_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_positions',
    title: 'Positions',
    description:
      'Positions of the account that trades. `net` below 0 is short. `meta` says which broker answered, and ' +
      'whether the account is live or paper. `scope: mine` gives what the orders of this key hold.',
    route: 'GET /api/v1/positions',
    hints: READS_BROKER,
  },
  {
    name: 'get_holdings',
    title: 'Holdings',
    description: 'Delivery shares of the account that trades.',
    route: 'GET /api/v1/holdings',
    hints: READS_BROKER,
  },
  {
    name: 'get_funds',
    title: 'Funds',
    description: 'Cash and margins of the account that trades, in rupees.',
    route: 'GET /api/v1/funds',
    hints: READS_BROKER,
  },
  {
    name: 'get_profile',
    title: 'Profile',
    description: 'The owner of the account that trades, with its exchanges and products.',
    route: 'GET /api/v1/profile',
    hints: READS_BROKER,
  },
  {
    name: 'get_margins',
    title: 'Margin of orders',
    description:
      'What one order or several would block and cost. Nothing is placed. Use it before you place an order, to ' +
      'show the person what it needs.',
    route: 'POST /api/v1/margins',
    hints: READS_BROKER,
  },
  {
    name: 'get_contract_note',
    title: 'Charges of the day',
    description:
      "What the account's orders of today have cost so far, order by order: taxes, exchange, brokerage. `total` null " +
      'means that the charges of one order are not known, not that they are zero.',
    route: 'GET /api/v1/contract-note',
    hints: READS_BROKER,
  },
  {
    name: 'get_orders',
    title: 'Orders',
    description:
      "A trading day's orders, newest first: those of the gateway, and those placed elsewhere (`external`). " +
      '`status` takes names separated by commas; `open` is all that are not over. `uncertain` means that it is ' +
      'not known whether the broker has the order.',
    route: 'GET /api/v1/orders',
    hints: READS_BROKER,
  },
  {
    name: 'get_order',
    title: 'One order',
    description: 'One order as it stands now. `filledQuantity` null means unknown, not zero.',
    route: 'GET /api/v1/orders/{id}',
    hints: READS_BROKER,
  },
  {
    name: 'get_order_fills',
    title: 'Fills of an order',
    description: 'The fills of one order: quantity, price, time.',
    route: 'GET /api/v1/orders/{id}/fills',
    hints: READS_BROKER,
  },
  {
    name: 'get_order_history',
    title: 'History of an order',
    description: 'What happened to one order, step by step, with the time of each.',
    route: 'GET /api/v1/orders/{id}/history',
    hints: READS_BROKER,
  },
  {
    name: 'get_trades',
    title: 'Trades',
    description: "The trades of the account's day, newest first, those placed elsewhere included.",
    route: 'GET /api/v1/trades',
    hints: READS_BROKER,
  },
  {
    name: 'get_triggers',
    title: 'Triggers',
    description:
      'Orders that wait at the broker for a price: GTTs and smart orders. `status` takes names separated by commas; ' +
      '`open` is all that may still place an order.',
    route: 'GET /api/v1/triggers',
    hints: READS_BROKER,
  },
  {
    name: 'get_trigger',
    title: 'One trigger',
    description: 'One trigger as it stands now, with the orders that it has placed.',
    route: 'GET /api/v1/triggers/{id}',
    hints: READS_BROKER,
  },
  {
    name: 'get_exits',
    title: 'Exits',
    description:
      "A trading day's exits: how the gateway ends positions, and how far each is. `status` takes names separated by " +
      'commas; `open` is all that still run.',
    route: 'GET /api/v1/exits',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_exit',
    title: 'One exit',
    description: 'One exit with its orders. It is over when its status is no longer `running`.',
    route: 'GET /api/v1/exits/{id}',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_closing',
    title: 'A closing of many positions',
    description: 'A closing with what became of each position.',
    route: 'GET /api/v1/positions/close-all/{id}',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_kill_switch',
    title: 'Kill switch',
    description: 'Whether orders that open a position are refused, and why.',
    route: 'GET /api/v1/kill-switch',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_brokers',
    title: 'Broker status',
    description:
      'Each broker: what it serves, whether it can be used now, and why not. Look here first when something ' +
      'cannot be read or placed.',
    route: 'GET /api/v1/brokers',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_limits',
    title: 'Limits',
    description:
      "What is left of the brokers' rate limits, and the gateway's own limits on orders and losses.",
    route: 'GET /api/v1/limits',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_login_link',
    title: 'Login link',
    description:
      "Whether the day's login at the broker is valid, and the address at which the person logs in, in a " +
      'browser. Give the person the address; never ask for a password or a one-time code.',
    route: 'GET /api/altbroker/status',
    hints: READS_BROKER,
    withLoginUrl: true,
  },
];
