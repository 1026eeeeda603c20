import { GatewayProblem } from '../domain/problem.ts';

/** Said wherever a login would be needed and no alternative broker is configured. */
export function noAlt(): GatewayProblem {
  return new GatewayProblem({
    code: 'no_broker',
    detail:
      'No alternative broker is configured: set APP_ALT_BROKER_API_KEY and ' +
      'APP_ALT_BROKER_API_SECRET, and start again.',
    broker: 'alt',
  });
}
