import type { BrokerFailure } from '../domain/outcome.ts';
import { clockAdvice } from './clock-advice.ts';

const AGAIN = 'Log in again.';

export interface LoginFailureContext {
  /** The request token was sent to the broker before. */
  readonly spent: boolean;
  /** The advice of the broker's adapter about its refusals; null without special advice. */
  readonly explainRefusal: (message: string) => string | null;
}

/** Explains to a person why an exchange failed and what to do. Holds no secret. */
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
    return `The broker could not be reached (${message}). Log in again when it can be reached.`;
  }
  return `The login was not sent to the broker (${message}). ${AGAIN}`;
}

function explainHttp(status: number, message: string, context: LoginFailureContext): string {
  if (status === 429) {
    return 'The broker accepts no more logins at the moment. Wait a little, then log in again.';
  }
  if (status >= 500) {
    return `The broker failed during the login (HTTP ${status}). Log in again later.`;
  }
  return explainText(message, context);
}

function explainText(message: string, { spent, explainRefusal }: LoginFailureContext): string {
  const known = explainRefusal(message);
  if (known !== null) return known;
  if (/token/i.test(message)) {
    const why = spent
      ? 'It works once, and was already used.'
      : 'It works once and for a few minutes: it was used elsewhere, or is too old.';
    return `The broker did not accept the request token (${message}). ${why} ${AGAIN}`;
  }
  return `The broker refused the login: ${message}. ${AGAIN}`;
}
