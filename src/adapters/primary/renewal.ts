import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Limiter } from '../../platform/call-limits.ts';
import type { Log } from '../../platform/log.ts';
import { Secret } from '../../platform/secret.ts';
import { createTokenGenerator, type TokenGenerator } from './token-generator.ts';
import { requestToken, type TokenCredentials } from './token-request.ts';
import { base32Bytes } from './totp.ts';

/** The credentials that tokens are generated with, from the settings; `totpSecret` is base32. */
export interface PrimaryLogin {
  readonly apiKey: Secret;
  readonly mpin: Secret;
  readonly totpSecret: Secret;
}

export interface RenewalParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly limiter: Limiter;
  readonly baseUrl: string;
  readonly login: PrimaryLogin;
  /** The token of the settings. */
  readonly configured: () => string | null;
  readonly onToken: () => void;
  /** See BrokerPorts.sessionHeldBack. */
  readonly heldBack?: () => string | null;
}

/** A TokenGenerator over the broker's token generator. Throws where the TOTP secret is not base32. */
export function createRenewal(parts: RenewalParts): TokenGenerator {
  const { clock, scheduler, log, configured, onToken, heldBack } = parts;
  const request = { ...parts, credentials: credentialsOf(parts.login) };
  return createTokenGenerator({
    ...{ clock, scheduler, log, configured, onToken },
    ...(heldBack === undefined ? {} : { heldBack }),
    generate: () => requestToken(request),
  });
}

function credentialsOf({ apiKey, mpin, totpSecret }: PrimaryLogin): TokenCredentials {
  const bytes = base32Bytes(totpSecret.reveal());
  if (bytes === null) throw new Error('the secret of the one-time codes is not base32');
  return { apiKey, mpin, totpSecret: new Secret(bytes) };
}
