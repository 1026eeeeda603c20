import type { Answer } from '../../client/index.ts';
import {
  type AddCommands,
  type CommonOptions,
  type Context,
  JSON_OPTION,
  type Result,
} from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { dateAndTimeOf } from '../table.ts';
import { accountText } from './orders.ts';

interface LoginOptions extends CommonOptions {
  readonly browser: boolean;
}

/** `status` and `login`. */
export const addStatusCommands: AddCommands = (program, run) => {
  program
    .command('status')
    .description('whether you can trade, and what needs you')
    .option(...JSON_OPTION)
    .action((options: CommonOptions) => run(options, status));
  program
    .command('login')
    .description('opens the login of the day in your browser, and waits until you are logged in')
    .option('--no-browser', 'only print the address')
    .option(...JSON_OPTION)
    .action((options: LoginOptions) => run(options, (context) => logIn(context, options)));
};

type Session = Answer<'getSession'>['data'];
type Broker = Answer<'getBrokers'>['data'][number];

async function status({ client }: Context): Promise<Result> {
  const [{ data: overview }, { data: session }, { data: brokers }] = await Promise.all([
    client.getOverview(),
    client.getSession(),
    client.getBrokers(),
  ]);
  const lines = [
    `Can I trade? ${overview.sentence}`,
    ...overview.needs.map(({ detail, id }) => {
      return `Needs you: ${detail}${id === null ? '' : ` (${id})`}`;
    }),
    `Login: ${sessionText(session)}`,
    `Open orders: ${overview.openOrders}`,
    `Kill switch: ${overview.killSwitch.engaged ? 'ENGAGED' : 'off'}`,
    ...brokers.map(brokerLine),
  ];
  return { json: { data: { overview, session, brokers } }, lines };
}

function brokerLine({ broker, mode, available, serves, reason }: Broker): string {
  const what = serves.length === 0 ? 'on no route' : serves.join(', ').replaceAll('_', ' ');
  const state = available ? 'can serve' : `cannot serve now: ${reason ?? 'no reason known'}`;
  return `${accountText({ broker, mode })}: ${what}; ${state}`;
}

function sessionText({ state, userId, expiresAt }: Session): string {
  const until = expiresAt === null ? '' : ` until ${dateAndTimeOf(expiresAt)} IST`;
  if (state === 'valid') return `valid${userId === null ? '' : ` as ${userId}`}${until}`;
  return state === 'expired' ? `ended${until.replace('until', 'at')}` : 'you are not logged in';
}

/** How often the gateway is asked, and how long a person may take to log in. */
const LOGIN_POLL_MS = 1_000;
const LOGIN_WITHIN_MS = 300_000;

/** A login that was valid before does not count: whoever asks for one wants a new token. */
async function logIn(
  { client, url, terminal, wait }: Context,
  options: LoginOptions,
): Promise<Result> {
  const { data: before } = await client.getSession();
  const address = `${url}/api/altbroker/login`;
  if (before.state === 'valid')
    terminal.tell(
      `You are logged in: ${sessionText(before)}. This waits for another login; Ctrl+C keeps the one that you have.`,
    );
  const isOpened = options.browser && (await terminal.browse(address));
  terminal.tell(
    isOpened ? `Log in in the browser: ${address}` : `Open this in a browser: ${address}`,
  );
  let session = before;
  for (let waited = 0; waited < LOGIN_WITHIN_MS; waited += LOGIN_POLL_MS) {
    await wait(LOGIN_POLL_MS);
    session = (await client.getSession()).data;
    if (session.state !== 'valid' || session.obtainedAt === before.obtainedAt) continue;
    return { json: { data: session }, lines: [`Logged in: ${sessionText(session)}`] };
  }
  const text = `nobody has logged in for ${LOGIN_WITHIN_MS / 60_000} minutes: run login again`;
  return { json: { data: session }, lines: [text], code: EXIT.notDone };
}
