/**
 * The name of a configured broker instance. Two accounts at one broker are two instances with two
 * names. Names from outside are checked against the configuration where they enter the gateway.
 */
export type BrokerId = string;

/** Whether money is real: every answer about an order or a portfolio says so. */
export const MODES = ['live', 'paper'] as const;
export type Mode = (typeof MODES)[number];

/** A broker instance as the configuration declares it. */
export interface BrokerInstance {
  /** Lower-case letters, digits and dashes, beginning with a letter. */
  readonly name: BrokerId;
  /** The broker module that serves it; several instances may have the same. */
  readonly kind: string;
  readonly mode: Mode;
  /** Its name in messages to people, after "the": `alternative broker`. */
  readonly title: string;
  /** In the shape of the module's `settingsSchema`; null while the instance is not set up. */
  readonly settings: object | null;
  /** What a person must do to set it up, in a full sentence; used only where `settings` is null. */
  readonly setUpAdvice?: string;
  /** What it still needs although it is set up, as `<what>: <how>`; absent or null for nothing. */
  readonly missing?: string | null;
  /** For a broker with a daily login; absent means the defaults. */
  readonly login?: LoginSettings;
}

/** Where the access token of a daily login is kept, and who may log in. */
export interface LoginSettings {
  /** The only user who may log in; null accepts any user of the broker. */
  readonly userId: string | null;
  /** The setting that holds `userId`, for messages. */
  readonly userSetting: string;
  /** The token's file in the data directory. */
  readonly tokenFile: string;
  /** The environment variable that holds the token, the third level; null for none. */
  readonly environmentName: string | null;
  /** The token of the configuration file, the fourth level; null for none. */
  readonly configurationToken: { reveal(): string } | null;
}
