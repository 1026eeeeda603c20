import { type Answer, newKey } from '../../client/index.ts';
import { gain } from '../../src/domain/rupees.ts';
import {
  type AddCommands,
  type AskingOptions,
  BROKER_OPTION,
  confirm,
  type Context,
  given,
  JSON_OPTION,
  CommandFailed,
  oneOf,
  productOption,
  type PRODUCTS,
  type Result,
  wholeNumber,
  YES_OPTION,
} from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { accountText } from './orders.ts';

interface ExitOptions extends AskingOptions {
  readonly product?: (typeof PRODUCTS)[number];
  readonly quantity?: number;
  readonly broker?: string;
  readonly cancelExternal?: boolean;
  readonly wait: boolean;
  readonly key?: string;
}

interface CloseOptions extends AskingOptions {
  readonly product?: (typeof PRODUCTS)[number];
  readonly side?: 'BUY' | 'SELL';
  readonly instrument?: string;
  readonly broker?: string;
  readonly mine?: boolean;
  readonly wait: boolean;
  readonly key?: string;
}

interface KillOptions extends AskingOptions {
  readonly reason?: string;
  readonly release?: boolean;
}

const KEY_OPTION = [
  '--key <key>',
  'the idempotency key: what was begun under it is not begun again',
] as const;

/** `exit`, `close-all` and `kill`. */
export const addWaysOut: AddCommands = (program, run) => {
  program
    .command('exit')
    .description('ends a position, and waits until it is flat')
    .argument('<instrument>', 'such as INFY')
    .option(
      '--product <product>',
      'CNC, INTRADAY or MARGIN; the one that is held when absent',
      productOption,
    )
    .option('--quantity <quantity>', 'a part of it', wholeNumber)
    .option(...BROKER_OPTION)
    .option('--cancel-external', 'also cancel orders placed elsewhere that rest for it')
    .option('--no-wait', 'only begin it')
    .option(...KEY_OPTION)
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action((instrument: string, options: ExitOptions) =>
      run(options, (context) => exit(context, instrument, options)),
    );
  program
    .command('close-all')
    .description('ends positions, what is short first, and waits until they are flat')
    .option('--product <product>', 'of this product alone', productOption)
    .option(
      '--side <side>',
      'buy: long positions alone; sell: short ones',
      oneOf(['BUY', 'SELL'] as const),
    )
    .option('--instrument <instrument>', 'of this instrument alone')
    .option(...BROKER_OPTION)
    .option('--mine', 'what the orders of this key have bought and sold, and nothing else')
    .option('--no-wait', 'only begin it')
    .option(...KEY_OPTION)
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action((options: CloseOptions) => run(options, (context) => closeAll(context, options)));
  program
    .command('kill')
    .description('engages the kill switch: no order that opens a position is sent any more')
    .option('--reason <text>', 'why, for the journal', 'from the command line')
    .option('--release', 'lets orders pass again; needs an admin key')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action((options: KillOptions) => run(options, (context) => kill(context, options)));
};

type Position = Answer<'getPositions'>['data'][number];

async function exit(context: Context, instrument: string, options: ExitOptions): Promise<Result> {
  const { client, terminal } = context;
  const { quantity, broker, cancelExternal, key = `cli-${newKey()}` } = options;
  const product = options.product ?? (await heldProduct(context, instrument, broker));
  const what = `${quantity === undefined ? 'all' : quantity} of ${instrument} ${product}`;
  const lines = [`What rests for it is cancelled, then it is sold or bought back: ${what}.`];
  await confirm(context, options, lines, 'Exit it?');
  const body = { instrument, product, ...given({ quantity, broker, cancelExternal }) };
  let { data } = await client.startExit({ body, key });
  let told = '';
  while (options.wait && data.status === 'running') {
    if (data.detail !== told && options.json !== true) terminal.tell((told = data.detail));
    await context.wait(POLL_MS);
    data = (await goesOn(data.id, client.getExit({ id: data.id }))).data;
  }
  const line = `${data.status}: ${data.detail} (${accountText(data)}, ${data.id})`;
  return { json: { data, key }, lines: [line], code: exitCode(data.status, data.why) };
}

/** An exit reads the broker's book about once a second. */
const POLL_MS = 1_000;

/** What was begun goes on at the gateway, also where its progress cannot be read. */
async function goesOn<T>(id: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `${id} was begun, and how it stands cannot be read now: ${why}`;
    throw new CommandFailed(text, EXIT.notKnown);
  }
}

function exitCode(status: string, why: string | null): ExitCode {
  if (status === 'flat' || status === 'running') return EXIT.done;
  return why === 'leg_uncertain' ? EXIT.notKnown : EXIT.notDone;
}

/** The one product in which the instrument is held: two of them are two positions. */
async function heldProduct(
  { client }: Context,
  instrument: string,
  broker: string | undefined,
): Promise<(typeof PRODUCTS)[number]> {
  const { data } = await client.getPositions({ maxAgeMs: 0, ...given({ broker }) });
  const name = instrument.toUpperCase();
  const held = data.filter(
    (each) =>
      each.quantity !== 0 && (each.instrument === name || each.instrument.endsWith(`:${name}`)),
  );
  const [first, ...others] = held;
  if (first !== undefined && others.length === 0) return productOf(first);
  const why =
    first === undefined
      ? `the positions have no ${instrument}; shares of the holdings are named with --product CNC`
      : `several positions are called ${instrument}: name one with its exchange and --product`;
  throw new CommandFailed(`${why}; nothing was sent`, EXIT.usage);
}

function productOf({ product, instrument }: Position): (typeof PRODUCTS)[number] {
  const known = (['CNC', 'INTRADAY', 'MARGIN'] as const).find((each) => each === product);
  if (known !== undefined) return known;
  throw new CommandFailed(`${instrument} is held as ${product}, which the gateway cannot end`);
}

async function closeAll(context: Context, options: CloseOptions): Promise<Result> {
  const { client, terminal } = context;
  const { product, side, instrument, broker, mine, key = `cli-${newKey()}` } = options;
  const scope = mine === true ? ('mine' as const) : undefined;
  if (options.yes !== true)
    await confirm(context, options, await held(context, broker), 'Close them?');
  const body = given({ product, side, instrument, broker, scope });
  let { data } = await client.closeAll({ body, key });
  if (options.json !== true) {
    terminal.tell(
      `${data.positions.length} positions, some ${data.estimatedSeconds} s at the least`,
    );
  }
  let told = '';
  while (options.wait && data.status === 'running') {
    if (data.detail !== told && options.json !== true) terminal.tell((told = data.detail));
    await context.wait(POLL_MS);
    data = (await goesOn(data.id, client.getClosing({ id: data.id }))).data;
  }
  const legs = data.positions.map(
    (leg) =>
      `${leg.status}: ${leg.net} ${leg.instrument} ${leg.product} at ${accountText(leg)}` +
      (leg.reason === null ? '' : `: ${leg.reason}`),
  );
  const unread = data.unread.map(
    (row) =>
      `not closed: a row of the ${row.list} at ${accountText(row)} cannot be read: ` +
      `${row.instrument ?? 'an instrument that cannot be read'}, ${row.reason}`,
  );
  return {
    json: { data, key },
    lines: [...legs, ...unread, `${data.status}: ${data.detail} (${data.id})`],
    code: exitCode(data.status, await whyOpen(context, data.positions)),
  };
}

/** `leg_uncertain` where it is not known what an order of the closing has done; null otherwise. */
async function whyOpen(
  { client }: Context,
  positions: Answer<'closeAll'>['data']['positions'],
): Promise<string | null> {
  for (const { exitId, status } of positions) {
    if (exitId === null || (status !== 'stopped' && status !== 'partly_flat')) continue;
    const { data } = await goesOn(exitId, client.getExit({ id: exitId }));
    if (data.why === 'leg_uncertain') return data.why;
  }
  return null;
}

/** What is open now. A closing takes what matches its filters, of what is open when it begins. */
async function held({ client }: Context, broker: string | undefined): Promise<readonly string[]> {
  const { data, meta } = await client.getPositions({ maxAgeMs: 0, ...given({ broker }) });
  const open = data.filter(({ quantity }) => quantity !== 0);
  const account = accountText(meta);
  if (open.length === 0) return [`${account} has no open positions; other accounts may.`];
  return [
    `Open at ${account}; the closing takes those that match what you named:`,
    ...open.map(
      (each) =>
        `  ${each.quantity} ${each.instrument} ${each.product}, unrealised ${gain(each.unrealisedPnl)}`,
    ),
  ];
}

async function kill(context: Context, options: KillOptions): Promise<Result> {
  const engaged = options.release !== true;
  const lines = engaged
    ? [
        'Orders that open a position are refused from then on. Cancels, exits and orders that reduce one pass.',
      ]
    : ['Orders of every key are sent again from then on.'];
  await confirm(context, options, lines, engaged ? 'Engage it?' : 'Release it?');
  const body = { engaged, reason: options.reason ?? 'from the command line' };
  const { data } = await context.client.setKillSwitch({ body });
  const line = `The kill switch is ${data.engaged ? 'ENGAGED' : 'released'}${data.reason ? `: ${data.reason}` : ''}`;
  return { json: { data }, lines: [line] };
}
