import { sha256 } from '../../platform/secret.ts';
import { conflict } from '../submit/request-identity.ts';
import type { ClosingRecord } from './closing.ts';
import type { ClosingCommand } from './new-closing.ts';

/**
 * Over what was asked for: tells a repeat from another request under the same key. Where a caller has asked, the broker
 * counts as it was named, and not the accounts that it came to: the trading route can change between two requests.
 */
export function hashOfClosing(command: ClosingCommand): string {
  const { askedBroker } = command;
  return askedBroker === undefined
    ? hashOfOlderVersion(command)
    : sha256(JSON.stringify([{ broker: askedBroker }, ...filterOf(command)]));
}

/** Throws `idempotency_conflict` where the key of a closing comes with another request than the one that began it. */
export function mustRepeatClosing(known: ClosingRecord, command: ClosingCommand): void {
  const hashes = [hashOfClosing(command), hashOfOlderVersion(command)];
  if (!hashes.includes(known.requestHash)) throw conflict(known.idempotencyKey, null);
}

/** Versions before askedBroker counted the accounts: of their closings it is not known whether a broker was named. */
const hashOfOlderVersion = (command: ClosingCommand): string =>
  sha256(JSON.stringify([command.brokers, ...filterOf(command)]));

function filterOf({ scope, instrument, product, side, ...rest }: ClosingCommand) {
  return [scope, instrument, product, side, rest.holdings, rest.includeUndelivered];
}
