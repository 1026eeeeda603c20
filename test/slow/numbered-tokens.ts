import type { StoredToken } from '../../src/token-store/token-store.ts';
import { epochMs, type EpochMs } from '../../src/units/branded.ts';

/** Tokens of very different lengths, each of which can be told whole from its number. */
export function tokenNumbered(number: EpochMs): StoredToken {
  return {
    accessToken: `T${number}-${'x'.repeat((number * 7_919) % 30_000)}`,
    userId: `U${number}`,
    obtainedAt: number,
    expiresAt: epochMs(number + 1),
  };
}

/** The number of the token that a file's text holds; throws when it does not hold one whole. */
export function numberIn(text: string): number {
  const { token } = JSON.parse(text) as { token: StoredToken };
  const number = token.obtainedAt!;
  if (JSON.stringify(token) !== JSON.stringify(tokenNumbered(number))) {
    throw new Error(`token ${number} is not as it was written`);
  }
  return number;
}
