import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Holding, Position } from '../domain/portfolio.ts';
import type { PostbackHint } from '../domain/ports.ts';
import type { Decision } from '../platform/single-writer.ts';
import { Draft } from './draft.ts';
import type { Change } from './records.ts';
import type { ExecutionState } from './state.ts';

/** Puts a postback in the inbox; a message that is there already changes nothing. */
export function decidePostback(
  state: ExecutionState,
  command: { hint: PostbackHint; at: number },
): Decision<Change, 'accepted' | 'repeated'> {
  const { hint, at } = command;
  if (state.postbacks.has(hint.digest)) return { changes: [], reply: 'repeated' };
  const draft = new Draft(state, at);
  const { broker, brokerOrderId, rawStatus, digest } = hint;
  draft.changes.push({
    table: 'postbacks',
    key: digest,
    row: { digest, broker, brokerOrderId, rawStatus, receivedAt: at },
  });
  draft.event('postback.received', null, { broker, brokerOrderId });
  return { changes: draft.changes, reply: 'accepted' };
}

/** Keeps what an account was last known to have; a read that shows the same changes nothing. */
export function decidePortfolio(
  state: ExecutionState,
  command: {
    broker: BrokerId;
    mode: Mode;
    positions: readonly Position[];
    holdings: readonly Holding[];
    at: number;
  },
): Decision<Change, boolean> {
  const { broker, mode, positions, holdings, at } = command;
  const before = state.portfolios.get(broker);
  if (before && quantities(before) === quantities(command)) return { changes: [], reply: false };
  const row = { broker, mode, readAt: at, positions, holdings };
  return { changes: [{ table: 'portfolios', key: broker, row }], reply: true };
}

/** What the guards go by, as text to compare: prices move all day and are no reason to write. */
function quantities(portfolio: {
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
}): string {
  const ofRow = (row: { instrument: string; quantity: number; product?: string }): string =>
    `${row.instrument}|${row.product ?? ''}|${row.quantity}`;
  return JSON.stringify([portfolio.positions.map(ofRow), portfolio.holdings.map(ofRow)]);
}
