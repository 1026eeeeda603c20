import { describe, expect, it } from 'vitest';
import { leavesChangeOpen, leavesPlacingOpen } from '../../../src/adapters/kit/open-words.ts';

const REFUSALS = [
  // Seen by users of Kite Connect.
  'Insufficient funds. Required margin is 951250.94 but available margin is 947366.90. Check the orderbook for open orders.',
  'Trigger price for stoploss sell orders cannot be below the lower circuit price. Please try placing the order with trigger price above 144.05.',
  'Cover orders are blocked temporarily due to expected volatility. Try placing an order in CNC, MIS, or NRML product type.',
  '16316 : The trigger price is not a multiple of tick size',
  'Invalid request (failed to decode `quantity`, got: `65.0` (expected int))',
  'RMS:Margin Exceeds,Required:951250.94, Available:947366.90 for entity account-AB1234 across exchange',
  'RMS:Rule: Check circuit limit including square off order exceeds',
  'Your order could not be converted to a After Market Order (AMO).',
  // INDstocks docs.
  'RMS: Margin exceeds, cash available: 10',
  'RMS: Rule: Check holdings including BTST quantity',
  'The instrument is not tradable.',
  'The order quantity exceeds the freeze limit.',
  'DayValidityAllowed',
  'authorization not sent in request. Please try again.',
  // What is said not to have happened, and what a rule allows.
  'Order cannot be placed: the market is closed.',
  'The order was not placed: margin shortfall',
  'Your order has not been accepted. Insufficient balance.',
  'Stop orders can only be placed for NSE.',
  'IP (10.1.2.3) is not allowed to place orders for this app.',
];

const OPEN = [
  'Order request timed out. Please check the order book and confirm before placing again.',
  'REQUEST_TIMED_OUT',
  'RequestTimedOut',
  'Request took too long to respond',
  'Order status unknown',
  'Order status is not known; margin was insufficient for another one',
  'Unknown error',
  'No response from exchange',
  "The exchange didn't respond",
  'OMS not reachable',
  'The server is busy. Check your holdings.',
  'RMS: timed out, please check',
  'The order could not be confirmed. Check your holdings.',
  'Something went wrong while placing the order.',
  'Please verify order status',
  'The order may have been executed',
  'Order placed but margin insufficient for more',
  'Order received. Market is closed',
  'Your order has been forwarded to the exchange',
  'RMS: order queued, margin will be checked',
  'Order accepted; your holdings will follow.',
  'Request accepted',
  'Accepted',
  'An identical order was already placed',
  'Duplicate order',
  'Order already exists',
  'Order is pending',
  'Your request is being processed',
  'Order in transit; check circuit limits',
];

/** What is said of a change that was not made. */
const CHANGES_REFUSED = [
  'Order cannot be modified as it is being processed. Try later.',
  'Order cannot be cancelled because it is already executed.',
  'The order is already executed',
  'Order has already been filled',
  'The order was rejected by the exchange',
  'Order is already complete',
  'Only open orders can be modified',
  'Maximum allowed order modifications exceeded.',
  'The modification was not accepted: insufficient margin',
  'Order could not be found',
  'Order is not pending',
  'Modification is not allowed for this order type',
];

const CHANGES_OPEN = [
  'Modification request accepted. Margin is insufficient for another one.',
  'Order modified successfully',
  'Your order has been updated',
  'Order has already been cancelled',
  'Cancelled',
  'Cancellation pending at the exchange',
  'Cancel request has been queued',
  'Same request received twice',
  'Duplicate modification',
  'The change will be made once the exchange answers: no response so far',
  'Order cannot be modified as its status is unknown',
  'An amendment of this order was forwarded',
];

describe('the words of a broker about a cancel or a modification', () => {
  it.each([...REFUSALS, ...CHANGES_REFUSED])('do not leave open whether it is made: %s', (text) => {
    expect(leavesChangeOpen(text)).toBe(false);
  });

  it.each([...OPEN, ...CHANGES_OPEN])('leave open whether it is made: %s', (text) => {
    expect(leavesChangeOpen(text)).toBe(true);
    expect(leavesChangeOpen(text.toUpperCase())).toBe(true);
  });
});

describe('the words of a broker about a placing', () => {
  it.each(REFUSALS)('do not leave open whether it has the order: %s', (text) => {
    expect(leavesPlacingOpen(text)).toBe(false);
  });

  it.each(OPEN)('leave open whether it has the order: %s', (text) => {
    expect(leavesPlacingOpen(text)).toBe(true);
    expect(leavesPlacingOpen(text.toUpperCase())).toBe(true);
  });
});
