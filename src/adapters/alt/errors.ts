import {
  type BrokerFailure,
  isOpenStatus,
  notSent,
  type Outcome,
  refused,
  uncertain,
} from '../../domain/outcome.ts';
import type { RejectionClass } from '../../domain/rejection.ts';
import { leavesChangeOpen, leavesPlacingOpen } from '../kit/open-words.ts';
import {
  addressRefusal,
  authoriseRefusal,
  saysMarketBlocked,
  saysPrice,
  saysQuantity,
  saysToAuthorise,
} from '../kit/refusal-words.ts';

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
  if (pending) return { kind: 'refused', rejection, reason: message, pending };
  return refused(rejection, withAdvice(rejection, failure));
}

/** The broker's words, and what to do where it takes a person. */
function withAdvice(rejection: RejectionClass, failure: BrokerFailure): string {
  const { message } = failure;
  if (rejection === 'address') return addressRefusal(message, REGISTER_WHERE);
  if (rejection === 'authorise_holdings') return authoriseRefusal(message);
  return saysTokenIsDead(failure) ? `${message} ${LOG_IN}` : message;
}

const LOG_IN = 'The session is over: log in again at /api/altbroker/login.';

/** Whether the broker says that the token is dead: nothing else ends a session. */
export function saysTokenIsDead(failure: BrokerFailure): boolean {
  return failure.kind === 'http' && failure.status === 403 && failure.code === 'TokenException';
}

const IP_REFUSED =
  /^No IPs configured for this app|^IP\b.{0,60}(?:\bis)? not allowed to place orders/i;
/** Kite's support page on static addresses: one change a week. */
const REGISTER_WHERE =
  'at developers.kite.trade, under Profile, "IP Whitelist" (one change in a calendar week)';
/** Preconditions: the holdings to be sold are not authorised. */
const NOT_AUTHORISED = { status: 428, code: 'TPINAuthException' };
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
  // Without an error type, the text is not the broker's own.
  if (code === null) return null;
  const isOpen = isOpenStatus(status);
  // The broker sends it as a NetworkException with a server's status.
  if (TOO_MANY_MODIFICATIONS.test(message)) {
    if (!isOpen || (status >= 500 && call === 'modify')) return 'other';
  }
  if (isOpen || status < 400) return null;
  if (IP_REFUSED.test(message)) return 'address';
  if (TOO_MANY_REQUESTS.test(message)) return 'rate_limited';
  if (code === 'TokenException') return status === 403 ? 'auth' : null;
  if (status === NOT_AUTHORISED.status || code === NOT_AUTHORISED.code) return 'authorise_holdings';
  const ofType = TEXTS_OF_TYPE.get(code);
  if (!ofType) return null;
  const isKnown = [...VALIDATION_TEXTS, ofType].some((text) => text.test(message));
  if (!isKnown && !saysToAuthorise(message)) return null;
  return code === 'MarginException' ? 'other' : classOfText(message);
}

/** The class of a refusal, or of a row that the broker or the exchange has rejected, by its text. */
export function classOfText(text: string): RejectionClass {
  if (saysToAuthorise(text)) return 'authorise_holdings';
  if (saysMarketBlocked(text)) return 'market_blocked';
  if (saysQuantity(text)) return 'other';
  const isPrice = saysPrice(text) || /\b(multiples? of|trigger price|limit price)\b/i.test(text);
  return isPrice ? 'price' : 'other';
}
