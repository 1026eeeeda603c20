import type { BrokerId, BrokerInstance, Mode } from '../domain/broker.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Secrets, Settings } from './settings.ts';

/** The instances of the settings, in the order in which messages and answers name them. */
export const INSTANCES = {
  alt: { name: 'alt', kind: 'alt', mode: 'live', title: 'alternative broker' },
  primary: { name: 'primary', kind: 'primary', mode: 'live', title: 'primary brokerage' },
  paper: { name: 'paper', kind: 'paper', mode: 'paper', title: 'paper account' },
} as const satisfies Readonly<Record<string, Omit<BrokerInstance, 'settings'>>>;

/** Names that an instance must not have: the data directory has a file of that name already. */
const RESERVED = ['journal'];
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

type NamedMode = Pick<BrokerInstance, 'name' | 'mode'>;

/** Every instance that a route may name: those of the settings, and those that the caller adds. */
export function declaredInstances(added: readonly BrokerInstance[]): readonly NamedMode[] {
  const all: NamedMode[] = [...Object.values(INSTANCES), ...added];
  for (const { name } of added) checkName(name, all);
  return all;
}

export function namesOf(
  instances: readonly NamedMode[],
  mode: Mode | null = null,
): readonly BrokerId[] {
  return instances.filter((each) => mode === null || each.mode === mode).map(({ name }) => name);
}

function checkName(name: string, all: readonly NamedMode[]): void {
  if (!NAME.test(name) || RESERVED.includes(name)) {
    throw new ConfigurationError(
      `the broker instance "${name}"`,
      'this name',
      `lower-case letters, digits and dashes, at most 32, and not ${RESERVED.join(' or ')}`,
    );
  }
  if (all.filter((each) => each.name === name).length > 1) {
    throw new ConfigurationError(`the broker instance "${name}"`, 'this name twice', 'it once');
  }
}

/** The instances with their settings, as each broker module takes them. */
export function brokerInstances(
  settings: Settings,
  secrets: Secrets,
  added: readonly BrokerInstance[],
): readonly BrokerInstance[] {
  return [
    altInstance(settings, secrets),
    primaryInstance(settings, secrets),
    { ...INSTANCES.paper, settings: paperSettings(settings) },
    ...added,
  ];
}

function altInstance({ alt }: Pick<Settings, 'alt'>, secrets: Secrets): BrokerInstance {
  const configured = { ...alt, apiSecret: secrets.altApiSecret };
  return {
    ...INSTANCES.alt,
    settings: alt === null || secrets.altApiSecret === null ? null : configured,
    setUpAdvice:
      'No alternative broker is configured: set APP_ALT_BROKER_API_KEY and ' +
      'APP_ALT_BROKER_API_SECRET, and start again.',
    login: {
      userId: alt?.userId ?? null,
      userSetting: 'APP_ALT_BROKER_USER_ID',
      tokenFile: 'token.json',
      environmentName: 'APP_ALT_BROKER_ACCESS_TOKEN',
      configurationToken: secrets.altAccessToken.configuration,
    },
  };
}

function primaryInstance(settings: Settings, secrets: Secrets): BrokerInstance {
  const hasToken = secrets.primaryAccessToken !== null || secrets.primaryLogin !== null;
  return {
    ...INSTANCES.primary,
    settings: primarySettings(settings, secrets),
    missing: hasToken
      ? null
      : 'a token of the primary brokerage: set APP_PRIMARY_ACCESS_TOKEN, or its three login settings',
  };
}

function primarySettings({ primary }: Pick<Settings, 'primary'>, secrets: Secrets): object {
  return {
    baseUrl: primary.baseUrl,
    accessToken: secrets.primaryAccessToken,
    login: secrets.primaryLogin,
    remarks: primary.orderRemarksEnabled,
    stopOrders: primary.stopOrders,
    extraTerminalStatuses: primary.extraTerminalStatuses,
  };
}

function paperSettings({ paper, orders }: Pick<Settings, 'paper' | 'orders'>): object {
  return {
    cash: String(paper.cash),
    brokerage: String(paper.brokerage),
    fills: paper.fills,
    marketHours: orders.marketHours,
  };
}
