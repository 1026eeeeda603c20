import type { BrokerFailure } from '../domain/failure.ts';
import { clockAdvice } from './clock-advice.ts';

const AGAIN = 'Begin the login again.';

export interface LoginFailureContext {
  /** The broker was shown the request token before. */
  readonly spent: boolean;
  /** What the broker's adapter knows of its own refusals; null where it knows nothing special. */
  readonly explainRefusal: (message: string) => string | null;
}

/** Says to a person why an exchange failed and what would help. Holds no secret. */
export function explainLoginFailure(failure: BrokerFailure, context: LoginFailureContext): string {
  const advice = failure.kind === 'http' ? clockAdvice(failure.clockAheadMs) : null;
  return [reasonOf(failure, context), ...(advice === null ? [] : [advice])].join(' ');
}

function reasonOf(failure: BrokerFailure, context: LoginFailureContext): string {
  if (failure.kind === 'not_sent') return explainNotSent(failure.reason, failure.message);
  if (failure.kind === 'transport') {
    return `The broker did not answer the exchange of the login (${failure.message}). ${AGAIN}`;
  }
  if (failure.kind === 'http') return explainHttp(failure.status, failure.message, context);
  if (failure.kind === 'error_body') return explainText(failure.message, context);
  return `The broker's answer to the login could not be read (${failure.message}). ${AGAIN}`;
}

function explainNotSent(reason: string, message: string): string {
  if (/certificate|CERT_/i.test(message)) {
    return (
      `The broker's certificate was not accepted (${message}). ` +
      `Check that this computer's clock is right, then log in again.`
    );
  }
  if (reason === 'connect') {
    return `The broker could not be reached (${message}). When it can, begin the login again.`;
  }
  return `The login was not sent to the broker (${message}). ${AGAIN}`;
}

function explainHttp(status: number, message: string, context: LoginFailureContext): string {
  if (status === 429) {
    return 'The broker takes no more logins for the moment. Wait a little, then log in again.';
  }
  if (status >= 500) {
    return `The broker failed at the login (HTTP ${status}). Try again in a while.`;
  }
  return explainText(message, context);
}

function explainText(message: string, { spent, explainRefusal }: LoginFailureContext): string {
  const known = explainRefusal(message);
  if (known !== null) return known;
  if (/token/i.test(message)) {
    const why = spent
      ? 'It works once, and was used already.'
      : 'It works once and for a few minutes: it was used elsewhere, or is too old.';
    return `The broker did not take the request token (${message}). ${why} ${AGAIN}`;
  }
  return `The broker refused the login: ${message}. ${AGAIN}`;
}
