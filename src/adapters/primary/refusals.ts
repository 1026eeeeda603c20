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

export type OrderCall = 'place' | 'change';
type HttpFailure = Extract<BrokerFailure, { kind: 'http' }>;

/**
 * What a failure means for a request that changes something (docs/spec/outcomes.md). Only a 4xx with
 * the broker's own error is a refusal (a proxy may answer 408 for an order that was accepted), only a
 * request that never left is `not_sent`, and everything else is uncertain. A refused placing whose
 * words are not on the list is marked: a book has to bear it out.
 */
export function outcomeOf(call: OrderCall, failure: BrokerFailure): Outcome {
  if (failure.kind === 'not_sent') return notSent(failure.reason, failure.message);
  if (failure.kind !== 'http' || !isRefusal(call, failure)) return uncertain(failure);
  const { status, code, message } = failure;
  const rejection = rejectionClass(status, code, message);
  // Another cancel of the order is already under way: the caller may try again later.
  if (call === 'change' && CANCEL_UNDER_WAY.test(message)) {
    return { kind: 'refused', rejection, reason: message, pending: true };
  }
  const reason = withAdvice(rejection, message);
  if (isListed(failure)) return refused(rejection, reason);
  return { kind: 'refused', rejection, reason, isUnlisted: true };
}

/** The broker's words, and what to do where it takes a person. */
function withAdvice(rejection: RejectionClass, message: string): string {
  if (rejection === 'address') return addressRefusal(message, REGISTER_WHERE);
  return rejection === 'authorise_holdings' ? authoriseRefusal(message) : message;
}

/** The page on which the brokerage manages API access; that the list is there is unverified. */
const REGISTER_WHERE = "in the brokerage's API settings (indstocks.com/app/api-trading)";

const CANCEL_UNDER_WAY = /^the order is already pending/i;

function isRefusal(call: OrderCall, { status, code, ownWords, message }: HttpFailure): boolean {
  const leavesOpen = call === 'place' ? leavesPlacingOpen : leavesChangeOpen;
  const words = call === 'place' ? message : message.replace(CANCEL_UNDER_WAY, ' ');
  if (leavesOpen(words) || leavesOpen(code ?? '')) return false;
  if (status === 429) return true;
  return status >= 400 && ownWords === true && !isOpenStatus(status);
}

/**
 * Refusals that the broker's documentation names, and the words of its risk management and validation,
 * which come back before anything is placed or changed.
 */
const LISTED: readonly RegExp[] = [
  /^RMS\s*:/i,
  /\b(DayValidityAllowed|QtyWithinFreezeQty|PriceWithinRange)\b/i,
  /\b(insufficient|not enough)\b.*\b(margins?|funds|holdings?|balance|quantity)\b/i,
  /\b(margins?|funds|holdings?|balance)\b.*\b(insufficient|not enough|exceeds?|shortfall)\b/i,
  /\bnot tradable\b|\bmarkets? (is|are) closed\b|\bmarket orders? (is|are) (blocked|not)\b/i,
  /\bmultiple of\b|\bcircuit\b|\bprice[ -]?(band|range)\b|\b(tick|lot) size\b|\bfreeze\b/i,
  /(^|: )(invalid|missing|unknown|unsupported)\b|\b(must|should|has to) be\b|\bis required\b/i,
  /\bauthori[sz]ation not sent\b/i,
];

/** Refusals that come before anything is placed or changed: known words, and a session or address that is not admitted. */
function isListed(failure: HttpFailure): boolean {
  const { status, message } = failure;
  if (status === 429 || saysTokenIsDead(failure) || IP_REFUSED.test(message)) return true;
  return LISTED.some((words) => words.test(message));
}

/** The class of a refusal (HTTP 4xx), by its status first, then by the broker's text. */
export function rejectionClass(
  status: number,
  code: string | null,
  message: string,
): RejectionClass {
  if (status === 429) return 'rate_limited';
  if (code !== 'TokenException' && IP_REFUSED.test(message)) return 'address';
  if (status === 401 || code === 'TokenException') return 'auth';
  if (saysToAuthorise(message)) return 'authorise_holdings';
  if (status === 403) return 'auth';
  const byText = classOfText(message);
  if (byText === 'other' && /(?<!instrument )\btoken\b|authori[sz]ation not sent/i.test(message)) {
    return 'auth';
  }
  return byText;
}

const IP_REFUSED =
  /\bwhite-?list|\bIP(?:v4)?\b.*\b(?:not |un)(?:allowed|registered|authori[sz]ed|permitted|recogni[sz]ed|static)\b/i;

/** The class of a row that the broker or the exchange has rejected, by its text. */
export function classOfText(text: string): RejectionClass {
  if (saysToAuthorise(text)) return 'authorise_holdings';
  if (saysMarketBlocked(text)) return 'market_blocked';
  if (saysQuantity(text)) return 'other';
  return saysPrice(text) || /price ?within ?range/i.test(text) ? 'price' : 'other';
}

/**
 * Whether the broker says that the token is dead (docs/spec/primary-brokerage.md, "Token"). A 403
 * alone does not say so: an address that is not whitelisted gets one too. Neither does a missing
 * header.
 */
export function saysTokenIsDead(failure: BrokerFailure): boolean {
  if (failure.kind === 'error_body') return failure.code === 'TokenException';
  if (failure.kind !== 'http' || failure.ownWords !== true) return false;
  if (failure.status === 401 || failure.code === 'TokenException') return true;
  return failure.status === 403 && /(?<!instrument )\btoken\b/i.test(failure.message);
}
