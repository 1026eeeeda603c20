import type { z } from 'zod';
import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { KnownDerivative } from '../../domain/derivatives.ts';
import type { BrokerInstruments } from '../../domain/instrument.ts';
import type { Broker, MarketData } from '../../domain/ports.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SocketConnector } from '../../platform/websocket.ts';

/** What the gateway gives to one broker instance. Each may be called at any time. */
export interface BrokerPorts {
  readonly transport: HttpTransport;
  /** Null where the gateway runs without sockets. */
  readonly sockets: SocketConnector | null;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  /** Numbers and names as this broker's own lists have them. */
  readonly instruments: BrokerInstruments;
  /** Quotes along the market-data route of the live brokers: a paper account fills against them. */
  readonly marketData: MarketData;
  readonly session: SessionPort;
  /** What the journal knows of the account, for a broker that may refuse to list derivatives. */
  readonly knownDerivative: KnownDerivative;
  /** Opens `<instance>.db` in the data directory. The gateway closes it after the broker. */
  openDatabase(): Database;
  /** Reports that orders may have changed at the broker, or that it can be asked again. */
  wake(): void;
  /**
   * Why no new session may be begun at the broker without a person now, for people; null where it may. A new
   * session can end the one of another gateway: that of the original while this data directory is disarmed, or one
   * that runs, while it is not known yet whether this start succeeds.
   */
  sessionHeldBack(): string | null;
}

/**
 * The session that the gateway keeps for a broker with a `login`. Without a login there is never a
 * token.
 */
export interface SessionPort {
  /** The token to use now; null when there is none that is valid. */
  accessToken(): string | null;
  /** The user whose token that is; null without a token, and until the broker has named the user. */
  userId(): string | null;
  /** Reports that the broker called this token dead. Ignored unless it is the present token. */
  tokenDied(accessToken: string): void;
  /** The broker refused something that may be due to the token: the session checks the token. */
  check(): void;
}

/** The name and the checked settings of one instance of a module. */
export interface NamedSettings<S> {
  readonly name: BrokerId;
  readonly settings: S;
}

/**
 * One kind of broker (docs/adding-a-broker.md). `create` makes one instance. It rejects where the
 * files or settings of the instance are unusable, and then the gateway does not start.
 */
export interface BrokerModuleDefinition<S> {
  readonly kind: string;
  readonly mode: Mode;
  /** Checks an instance's settings. Secrets in them are `Secret`s, so that no message shows one. */
  readonly settingsSchema: z.ZodType<S>;
  readonly create: (instance: NamedSettings<S>, ports: BrokerPorts) => Broker | Promise<Broker>;
}

/** A module without the type of its settings, so that the gateway can handle all modules alike. */
export interface BrokerModule {
  readonly kind: string;
  readonly mode: Mode;
  /** Throws a BrokerSettingsError when the settings do not fit the module's schema. */
  create(name: BrokerId, settings: object, ports: BrokerPorts): Promise<Broker>;
}

/** The settings do not fit the schema. The message names the fields and quotes no value. */
export class BrokerSettingsError extends Error {
  override readonly name = 'BrokerSettingsError';
}

export function defineBrokerModule<S>(definition: BrokerModuleDefinition<S>): BrokerModule {
  const { kind, mode, settingsSchema } = definition;
  return {
    kind,
    mode,
    async create(name, settings, ports) {
      const checked = settingsSchema.safeParse(settings);
      if (checked.success) return definition.create({ name, settings: checked.data }, ports);
      const fields = checked.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
      throw new BrokerSettingsError(
        `the settings of the broker ${name} (kind ${kind}) do not fit: ${fields.join('; ')}`,
      );
    },
  };
}
