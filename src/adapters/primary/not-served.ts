import { BrokerError } from '../../domain/outcome.ts';

/**
 * The broker does not offer what is asked for, so no request is sent. The cause is `not_open`: the
 * router goes on to the next broker and does not count this one as unavailable.
 */
export function notServed(message: string): BrokerError {
  return new BrokerError('primary', { kind: 'not_sent', reason: 'not_open', message });
}
