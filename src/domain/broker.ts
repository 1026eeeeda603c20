/**
 * The name of a configured broker instance. Two accounts at one broker are two instances with two
 * names. Text that comes from outside is compared with the configuration where it comes in.
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
  /** What messages to people call it, after "the": `alternative broker`. */
  readonly title: string;
  /** As the module's `settingsSchema` takes them; null while the instance is not set up. */
  readonly settings: object | null;
  /** What a person does to set it up, a full sentence; said only where `settings` is null. */
  readonly setUpAdvice?: string;
  /** Of a broker with a daily login; defaults hold where it is absent. */
  readonly login?: LoginSettings;
}

/** Where the access token of a daily login is kept, and who may log in. */
export interface LoginSettings {
  /** The only user who may log in; null takes whoever the broker names. */
  readonly userId: string | null;
  /** The setting that holds `userId`, for messages. */
  readonly userSetting: string;
  /** The token's file in the data directory. */
  readonly tokenFile: string;
  /** The environment variable that holds the token, the third of its levels; null for none. */
  readonly environmentName: string | null;
  /** The token of the configuration file, the fourth level; null for none. */
  readonly configurationToken: { reveal(): string } | null;
}
