import type { NotSent } from '../../domain/outcome.ts';
import { GatewayProblem } from '../../domain/problem.ts';

export function conflict(idempotencyKey: string): GatewayProblem {
  return new GatewayProblem({
    code: 'idempotency_conflict',
    detail: `the key ${idempotencyKey} was used for another request`,
    retrySafe: false,
  });
}

export function killSwitchProblem(detail: string): GatewayProblem {
  return new GatewayProblem({
    code: 'kill_switch',
    detail,
    mayHaveExecuted: false,
    retrySafe: true,
  });
}

export function notSentProblem(why: NotSent): GatewayProblem {
  const code =
    why.cause === 'recovering'
      ? 'recovering'
      : why.cause === 'token'
        ? 'token_absent'
        : 'order_not_sent';
  return new GatewayProblem({
    code,
    detail: `${why.reason}; nothing was sent`,
    mayHaveExecuted: false,
    retrySafe: true,
  });
}
