import { sha256 } from '../../platform/secret.ts';
import { conflict } from '../submit/request-identity.ts';
import type { ExitCommand } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';

type Asked = Omit<ExitCommand, 'trading'>;

/** Over what a caller has asked for: tells a repeat from another request under the same key. */
export function hashOfExit(command: Asked): string {
  return sha256(JSON.stringify([...contentsOf(command), { broker: askedBrokerOf(command) }]));
}

/** Throws `idempotency_conflict` where the key of an exit comes with another request than the one that began it. */
export function mustRepeatExit(known: ExitRecord, command: Asked): void {
  if (known.requestHash === hashOfExit(command)) return;
  const broker = askedBrokerOf(command);
  const couldBeAsked = broker === null || broker === known.broker;
  if (couldBeAsked && known.requestHash === hashOfOlderVersion(command)) return;
  throw conflict(known.idempotencyKey, null);
}

/** Versions before askedBroker left the broker out: of their exits it is not known whether one was named. */
const hashOfOlderVersion = (command: Asked): string => sha256(JSON.stringify(contentsOf(command)));

const askedBrokerOf = ({ askedBroker = null }: Asked): string | null => askedBroker;

function contentsOf({ instrument, product, quantity, orderId, cancelExternal = false }: Asked) {
  return [instrument, product, quantity, orderId, ...(cancelExternal ? [true] : [])];
}
