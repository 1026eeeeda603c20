import type { BrokerFailure } from '../../domain/failure.ts';

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
