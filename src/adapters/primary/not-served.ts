import { BrokerError } from '../../domain/failure.ts';

/**
 * The broker does not have what is asked for, so it was not asked: `not_open`, on which the router
 * passes on to the next broker without taking this one to be away.
 */
export function notServed(message: string): BrokerError {
  return new BrokerError('primary', { kind: 'not_sent', reason: 'not_open', message });
}
