/** Every setting of this version (.env.example says what each is for). */
export const SETTING_NAMES = [
  'APP_HOST',
  'APP_PORT',
  'APP_POSTBACK_PORT',
  'APP_ALLOWED_HOSTS',
  'APP_PUBLIC_URL',
  'APP_DATA_DIR',
  'APP_ACCEPT_JOURNAL_AT',
  'APP_LOG_LEVEL',
  'APP_API_KEY',
  'APP_ALT_BROKER_API_KEY',
  'APP_ALT_BROKER_API_SECRET',
  'APP_ALT_BROKER_ACCESS_TOKEN',
  'APP_ALT_BROKER_USER_ID',
  'APP_ALT_BROKER_API_ROOT',
  'APP_ALT_BROKER_LOGIN_URL',
  'APP_ALT_BROKER_ORDERS_OVER_IPV4',
  'APP_ALT_BROKER_TICKER_URL',
  'APP_PRIMARY_BASE_URL',
  'APP_PRIMARY_ACCESS_TOKEN',
  'APP_PRIMARY_API_KEY',
  'APP_PRIMARY_MPIN',
  'APP_PRIMARY_TOTP_SECRET',
  'APP_BROKER_ORDER_REMARKS_ENABLED',
  'APP_ORDER_EXTRA_TERMINAL_STATUSES',
  'APP_PRIMARY_STOP_ORDERS',
  'APP_ROUTE_MARKET_DATA',
  'APP_ROUTE_TRADING',
  'APP_PAPER_ON_OUTAGE',
  'APP_ORDER_POLL_SECONDS',
  'APP_UNCERTAIN_ABSENT_AFTER_SECONDS',
  'APP_UNRECOGNISED_STATUS_SECONDS',
  'APP_MARKET_HOURS',
  'APP_FREEZE_QUANTITIES',
  'APP_MAX_ORDER_VALUE',
  'APP_MAX_ORDER_QUANTITY',
  'APP_MAX_OPEN_ORDERS',
  'APP_MAX_ORDERS_PER_MINUTE',
  'APP_MAX_DAILY_LOSS',
  'APP_CLOSE_ON_DAILY_LOSS',
  'APP_EXIT_LIMIT_OFFSET_PERCENT',
  'APP_EXIT_SECONDS',
  'APP_EXIT_ATTEMPTS',
  'APP_EXIT_REST_WITHOUT_BID',
  'APP_PAPER_CASH',
  'APP_PAPER_BROKERAGE',
  'APP_PAPER_FILLS',
  'APP_TELEGRAM_BOT_TOKEN',
  'APP_TELEGRAM_CHAT_ID',
  'APP_TELEGRAM_API_ROOT',
  'APP_REMINDER_AT',
  'APP_REMINDER_DAYS',
  'APP_SQUARE_OFF_TIMES',
  'APP_SQUARE_OFF_REMINDER_MINUTES',
  'APP_MCP_TRADING',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** Names the optional JSON file; for that reason it cannot stand in the file itself. */
export const FILE_SETTING = 'APP_CONFIG_FILE';

/** Settings whose values are never shown, and that make a file holding them a secret. */
export const SECRET_NAMES = [
  'APP_API_KEY',
  'APP_ALT_BROKER_API_SECRET',
  'APP_ALT_BROKER_ACCESS_TOKEN',
  'APP_PRIMARY_ACCESS_TOKEN',
  'APP_PRIMARY_API_KEY',
  'APP_PRIMARY_MPIN',
  'APP_PRIMARY_TOTP_SECRET',
  'APP_TELEGRAM_BOT_TOKEN',
] as const satisfies readonly SettingName[];
export type SecretName = (typeof SECRET_NAMES)[number];

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES);
const SECRET: ReadonlySet<string> = new Set(SECRET_NAMES);

export function isSettingName(name: string): name is SettingName {
  return KNOWN.has(name);
}

export function isSecretName(name: string): name is SecretName {
  return SECRET.has(name);
}
