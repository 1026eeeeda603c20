import {
  type BrokerFailure,
  isOpenStatus,
  notSent,
  type Outcome,
  refused,
  type RejectionClass,
  uncertain,
} from '../../domain/outcome.ts';
import { leavesChangeOpen, leavesPlacingOpen } from '../kit/open-words.ts';

export type OrderCall = 'place' | 'cancel' | 'modify';
type HttpFailure = Extract<BrokerFailure, { kind: 'http' }>;

/**
 * What a failure means for an order (docs/spec/kite-refusals.md). An order was seen to fill after a
 * 400 of this broker, so a 4xx is a refusal only when its text is known and does not leave it open;
 * everything else is uncertain.
 */
export function outcomeOf(call: OrderCall, failure: BrokerFailure): Outcome {
  if (failure.kind === 'not_sent') return notSent(failure.reason, failure.message);
  const rejection = failure.kind === 'http' ? knownRefusal(call, failure) : null;
  if (rejection === null) return uncertain(failure);
  const { message } = failure;
  // The broker uses this text for an order on its way to the exchange and for a finished one: the
  // row tells which.
  const pending = call === 'cancel' && BEING_PROCESSED.test(message);
  return pending
    ? { kind: 'refused', rejection, reason: message, pending }
    : refused(rejection, saysTokenIsDead(failure) ? `${message} ${LOG_IN}` : message);
}

const LOG_IN = 'The session is over: log in again at /api/altbroker/login.';

/** Whether the broker says that the token is dead: nothing else ends a session. */
export function saysTokenIsDead(failure: BrokerFailure): boolean {
  return failure.kind === 'http' && failure.status === 403 && failure.code === 'TokenException';
}

const IP_REFUSED = /^No IPs configured for this app|^IP \(.*\) is not allowed to place orders/i;
const BEING_PROCESSED = /\bis being processed\b/i;
const TOO_MANY_REQUESTS = /^Maximum allowed order requests( per second)? exceeded/i;
const TOO_MANY_MODIFICATIONS = /^Maximum allowed order modifications exceeded\.?$/i;

/** Texts of risk management and validation in an OrderException. */
const VALIDATION_TEXTS: readonly RegExp[] = [
  /^RMS\s*:/i,
  /\b(insufficient|not enough)\b.*\b(margins?|funds|holdings?|balance)\b/i,
  /\b(margins?|funds|holdings?|balance)\b.*\b(insufficient|not enough|exceeds?|shortfall)\b/i,
  /\b(circuit|price band|price range|tick size|trigger price|limit price)\b/i,
  /\b(lot size|freeze|disclosed|multiples? of)\b/i,
  /\bmarkets? (is|are) closed\b/i,
  /\b(after market|AMO)\b/i,
  /\bmarket (orders?|protection)\b/i,
  /\b(not allowed|not permitted|not enabled|blocked|banned|suspended|restricted)\b/i,
  /\bcannot be (placed|modified|cancelled|canceled|above|below|higher|lower|more|less)\b/i,
];

/** Texts that are a refusal under the type which they come with, besides those of validation. */
const TEXTS_OF_TYPE: ReadonlyMap<string, RegExp> = new Map([
  ['OrderException', /(?!)/],
  ['MarginException', /\b(insufficient|margin|funds)\b/i],
  ['HoldingException', /\b(insufficient|not enough)\b/i],
  [
    'InputException',
    /^(invalid|missing|unknown|unsupported)\b|\b(should|must|has to) be\b|\bis required\b/i,
  ],
  ['UserException', /\b(dormant|inactive|disabled|not (active|activated|registered))\b/i],
]);

function knownRefusal(call: OrderCall, failure: HttpFailure): RejectionClass | null {
  const { status, code, message } = failure;
  const leavesOpen = call === 'place' ? leavesPlacingOpen : leavesChangeOpen;
  if (leavesOpen(message)) return null;
  if (status === 429) return 'rate_limited';
  const isOpen = isOpenStatus(status);
  // The broker sends it as a NetworkException with a server's status.
  if (TOO_MANY_MODIFICATIONS.test(message)) {
    if (!isOpen || (status >= 500 && call === 'modify')) return 'other';
  }
  // Without an error type, the text is not the broker's own.
  if (isOpen || status < 400 || code === null) return null;
  if (IP_REFUSED.test(message)) return 'auth';
  if (TOO_MANY_REQUESTS.test(message)) return 'rate_limited';
  if (code === 'TokenException') return status === 403 ? 'auth' : null;
  const ofType = TEXTS_OF_TYPE.get(code);
  if (!ofType || ![...VALIDATION_TEXTS, ofType].some((text) => text.test(message))) return null;
  return code === 'MarginException' ? 'other' : rejectionClass(message);
}

function rejectionClass(message: string): RejectionClass {
  if (/\bmarket (orders?|protection)\b.*\b(not allowed|blocked|not permitted)\b/i.test(message)) {
    return 'market_blocked';
  }
  // A wrong lot is also "not a multiple", but another price would not help.
  if (/\b(lot size|freeze|disclosed)\b/i.test(message)) return 'other';
  const price =
    /\b(circuit|price band|price range|tick size|multiples? of|trigger price|limit price)\b/i;
  return price.test(message) ? 'price' : 'other';
}
