import type { BrokerId, BrokerInstance } from '../domain/broker.ts';
import type { OrderLimits } from '../domain/order-limits.ts';
import type { LogLevel } from '../platform/log.ts';
import type { Secret } from '../platform/secret.ts';

/** The checked settings. They contain no secret: those are in Secrets. */
export interface Settings {
  readonly server: ServerSettings;
  /** Null when no key and secret are given: the gateway then runs without this broker. */
  readonly alt: AltSettings | null;
  readonly primary: PrimarySettings;
  readonly routing: RoutingSettings;
  readonly orders: OrderSettings;
  readonly exits: ExitSettings;
  readonly paper: PaperSettings;
  /** Null when no bot is given: nothing is then sent or scheduled. */
  readonly telegram: TelegramSettings | null;
  readonly webhooks: WebhookSettings;
  readonly reminder: ReminderSettings;
  readonly squareOff: SquareOffSettings;
  readonly assistants: AssistantSettings;
}

export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The second listener, which has only the postback route; null for none, 0 for any free port. */
  readonly postbackPort: number | null;
  /** The listener of hooks (docs/signals.md); null for none, 0 for any free port. */
  readonly hooksPort: number | null;
  /** The header in which a tunnel says from where an alert comes; null where none is believed. */
  readonly hooksForwardedHeader: string | null;
  /** Values of Host that are accepted besides loopback, in lower case, with their port if any. */
  readonly allowedHosts: readonly string[];
  /** Where browsers reach the gateway, without a slash at the end; null when not set. */
  readonly publicUrl: string | null;
  readonly dataDirectory: string;
  /** Whether the user named it: then the gateway uses no other. */
  readonly dataDirectoryNamed: boolean;
  /** The last event of a journal that was restored from a backup on purpose; null for none. */
  readonly acceptJournalAt: number | null;
  readonly logLevel: LogLevel;
  /** `auto` is text in a terminal, and JSON where the log goes to a file or another program. */
  readonly logFormat: 'auto' | 'text' | 'json';
}

export interface AltSettings {
  /** Public: it is part of the login page's address. */
  readonly apiKey: string;
  /** The only user that may log in; null allows any user. */
  readonly userId: string | null;
  readonly apiRoot: string;
  readonly loginUrl: string;
  readonly ordersOverIpv4: boolean;
  /** Sent with orders that name none; null for none. */
  readonly algoId: string | null;
  /** Percent, for orders at the market that say none; -1 leaves it to the broker. */
  readonly marketProtection: number;
  /** Null for no ticker. */
  readonly tickerUrl: string | null;
}

export interface PrimarySettings {
  readonly baseUrl: string;
  readonly orderRemarksEnabled: boolean;
  /** Upper-case, as the owner declares them (docs/spec/statuses.md). */
  readonly extraTerminalStatuses: readonly string[];
  /** `plain` sends a trigger price to /order, which was seen to lose it. */
  readonly stopOrders: 'smart' | 'plain';
}

/** Each list in order of preference. */
export interface RoutingSettings {
  /** Names of live instances. */
  readonly marketData: readonly BrokerId[];
  readonly trading: readonly BrokerId[];
  /** Whether an outage of the live broker may turn an order into a paper one. */
  readonly paperOnOutage: boolean;
}

export interface OrderSettings {
  readonly pollMs: number;
  readonly uncertainAbsentAfterMs: number;
  readonly unrecognisedStatusMs: number;
  readonly marketHours: 'exchange' | 'always';
  /**
   * By instrument (`NSE:INFY`) or underlying (`NIFTY`): neither broker's list has them. They win over
   * the list that comes with the gateway.
   */
  readonly freezeQuantities: ReadonlyMap<string, number>;
  readonly limits: OrderLimits;
  /** Rupees of one account; null for no limit. */
  readonly maxDailyLoss: number | null;
  /** Whether that closes the intraday positions of the account; never true without a limit. */
  readonly closeOnDailyLoss: boolean;
}

/** Legs of exits (docs/exits.md). */
export interface ExitSettings {
  /** How far below the last price a leg sells, or above it buys, percent. */
  readonly limitOffsetPercent: number;
  /** How much further each attempt is, as a multiple of that. */
  readonly widening: number;
  readonly restMs: number;
  readonly attempts: number;
  readonly restWithoutBid: boolean;
}

/** Rupees. */
export interface PaperSettings {
  readonly cash: number;
  /** Per executed order. */
  readonly brokerage: number;
  readonly fills: 'book' | 'last';
}

export interface TelegramSettings {
  /** The only chat that gets messages and whose commands are obeyed. */
  readonly chatId: string;
  readonly apiRoot: string;
  /** Whether fills, cancellations and rejections are told, a line for each order. */
  readonly orderLines: boolean;
  /** Whether the report of each trading day is sent after it. */
  readonly dayReport: boolean;
}

export interface ReminderSettings {
  /** `HH:MM` IST. */
  readonly at: string;
  readonly days: 'daily' | 'trading';
}

export interface SquareOffSettings {
  /** When the broker closes intraday positions, `HH:MM` IST, by exchange; empty for no reminder. */
  readonly times: ReadonlyMap<string, string>;
  readonly minutesBefore: number;
}

/** Addresses to which events are posted (docs/events.md). */
export interface WebhookSettings {
  /** Whether they may be of this computer and of its network. */
  readonly privateAddresses: boolean;
  /** The webhook that the settings name; null for none. Its secret is among the secrets. */
  readonly url: string | null;
}

/** Assistants that call over MCP (docs/assistants.md). */
export interface AssistantSettings {
  /** Whether they get tools that trade. */
  readonly trading: boolean;
}

export interface PrimaryLoginSecrets {
  readonly apiKey: Secret;
  readonly mpin: Secret;
  /** Base32. */
  readonly totpSecret: Secret;
}

export interface Secrets {
  /** Set exactly when `settings.alt` is. */
  readonly altApiSecret: Secret | null;
  /** The third and the fourth of the token's four levels (docs/spec/token.md). */
  readonly altAccessToken: {
    readonly environment: Secret | null;
    readonly configuration: Secret | null;
  };
  readonly primaryAccessToken: Secret | null;
  /** What the gateway generates tokens of the primary brokerage with; null when it does not. */
  readonly primaryLogin: PrimaryLoginSecrets | null;
  /** The admin key that APP_API_KEY sets; null lets the gateway make one. */
  readonly adminKey: Secret | null;
  /** Set exactly when `settings.telegram` is. */
  readonly telegramBotToken: Secret | null;
  /** Set exactly when `settings.webhooks.url` is. */
  readonly webhookSecret: Secret | null;
}

export interface Configuration {
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** The broker instances, set up or not, in the order in which answers name them. */
  readonly brokers: readonly BrokerInstance[];
  /** For the log, once there is one: settings that are missing, misspelt or risky. */
  readonly warnings: readonly string[];
}
