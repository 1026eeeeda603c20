import type { Answer, Client } from '../../client/index.ts';
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
type Order = Answer<'getOrders'>['data'][number];

async function status({ client }: Context): Promise<Result> {
  const [{ data: session }, { data: brokers }, { data: killSwitch }, open] = await Promise.all([
    client.getSession(),
    client.getBrokers(),
    client.getKillSwitch(),
    ordersOf(client, 'open'),
  ]);
  const needing = open.filter(
    (order) => order.status === 'uncertain' || order.status === 'disputed',
  );
  const live = brokers.filter((each) => each.mode === 'live' && takesOrders(each));
  const paper = brokers.filter((each) => each.mode === 'paper' && takesOrders(each));
  const lines = [
    sentence(live, paper, killSwitch.engaged),
    `Login: ${sessionText(session)}`,
    `Orders: ${open.length} open${needing.length === 0 ? '' : `, ${needing.length} need you`}`,
    ...needing.map(({ id, status: state, side, quantity, instrument }) => {
      return `  ${state}: ${side} ${quantity} ${instrument} (${id})`;
    }),
    `Kill switch: ${killSwitch.engaged ? `ENGAGED: ${killSwitch.reason ?? 'no reason'}` : 'off'}`,
    ...brokers.map(brokerLine),
  ];
  return { json: { data: { session, brokers, killSwitch, open } }, lines };
}

const takesOrders = ({ parts }: Broker): boolean =>
  parts.some((each) => each.part === 'trading' && each.available && each.chosenBy === 'route');

function sentence(live: readonly Broker[], paper: readonly Broker[], isStopped: boolean): string {
  if (isStopped) return 'You can only leave: the kill switch is engaged. Cancels and exits pass.';
  const [first] = live;
  if (first !== undefined) return `You can trade with real money at ${first.broker}.`;
  const [account] = paper;
  if (account !== undefined)
    return `Orders go to ${accountText(account)}: no live broker takes them now.`;
  return 'You cannot trade: no broker of the route takes orders now.';
}

function brokerLine({ broker, mode, available, serves, reason }: Broker): string {
  const what = serves.length === 0 ? 'on no route' : serves.join(', ').replaceAll('_', ' ');
  const state = available ? 'can serve' : `cannot serve now: ${reason ?? 'no reason known'}`;
  return `${accountText({ broker, mode })}: ${what}; ${state}`;
}

async function ordersOf(client: Client, state: string): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for await (const order of client.items('getOrders', { status: state })) orders.push(order);
  return orders;
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
