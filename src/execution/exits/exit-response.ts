import type { ExitResponse } from '../../domain/exit.ts';
import type { ExitRecord } from './exit.ts';

/** An exit as callers see it. */
export function exitResponse(exit: ExitRecord): ExitResponse {
  const { id, broker, mode, instrument, product, side, quantity, orderId, over } = exit;
  return {
    ...{ id, clientOrderId: exit.idempotencyKey, broker, mode, instrument, product, side },
    ...{ quantity, orderId },
    status: over?.end ?? 'running',
    why: over?.why ?? null,
    detail: over?.detail ?? exit.doing,
    held: over?.held ?? null,
    attempt: exit.plan.attempt,
    legs: exit.legs.length,
    createdAt: exit.createdAt,
    updatedAt: exit.updatedAt,
  };
}
