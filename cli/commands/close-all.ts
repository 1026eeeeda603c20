import { type Answer, newKey } from '../../client/index.ts';
import { messageOf } from '../../src/platform/values.ts';
import {
  type AddCommands,
  type AskingOptions,
  BROKER_OPTION,
  CommandFailed,
  confirm,
  type Context,
  given,
  JSON_OPTION,
  oneOf,
  productOption,
  type Result,
  YES_OPTION,
} from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { exitCode, goesOn, KEY_OPTION, POLL_MS } from './begun.ts';
import {
  canBe,
  deliveryText,
  type DeliveryShares,
  type HeldNow,
  readHeld,
  unreadText,
} from './held.ts';
import { accountText } from './orders.ts';
import { type ClosingWords, whatIsClosed } from './what-is-closed.ts';

interface CloseOptions extends AskingOptions, ClosingWords {
  readonly wait: boolean;
  readonly key?: string;
}

type Closing = Answer<'closeAll'>['data'];

/** `close-all`. */
export const addCloseAllCommand: AddCommands = (program, run) => {
  program
    .command('close-all')
    .description(
      'ends positions, what is short first, and waits until they are flat: all of the account with an admin key, with another one what its own orders hold. Delivery shares (CNC) stay unless --holdings names them. Shows what it closes, and asks',
    )
    .option('--product <product>', 'of this product alone', productOption)
    .option(
      '--side <side>',
      'buy: long positions alone; sell: short ones',
      oneOf(['BUY', 'SELL'] as const),
    )
    .option('--instrument <instrument>', 'of this instrument alone')
    .option('--holdings <instruments...>', 'also sell the delivery shares of these instruments')
    .option(
      '--include-undelivered',
      'of --holdings, also T1 shares and shares that were bought today',
    )
    .option(...BROKER_OPTION)
    .option('--mine', 'what the orders of this key have bought and sold, and nothing else')
    .option('--no-wait', 'only begin it')
    .option(...KEY_OPTION)
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action((options: CloseOptions) => {
      const holdings = options.holdings?.flatMap((each) => each.split(',').filter(Boolean));
      return run(options, (context) => closeAll(context, { ...options, ...given({ holdings }) }));
    });
};

async function closeAll(context: Context, options: CloseOptions): Promise<Result> {
  const { client, terminal } = context;
  const { product, side, instrument, broker, mine, key = `cli-${newKey()}` } = options;
  await refuseWhatSellsNothing(context, options);
  const scope = mine === true ? ('mine' as const) : undefined;
  if (options.yes !== true)
    await confirm(context, options, await whatIsClosed(context, options), 'Close them?');
  const { includeUndelivered } = options;
  const holdings = options.holdings === undefined ? undefined : [...options.holdings];
  const filters = { product, side, instrument, broker, scope, holdings, includeUndelivered };
  let { data } = await client.closeAll({
    body: given(filters),
    ...{ key, keyIsNew: options.key === undefined },
  });
  if (options.json !== true) {
    const count = data.positions.length;
    if (count > 0)
      terminal.tell(
        `Closing ${count === 1 ? 'one position' : `${count} positions`}: ${data.estimatedSeconds} s at the least`,
      );
  }
  let told = '';
  while (options.wait && data.status === 'running') {
    if (data.positions.length > 0 && data.detail !== told && options.json !== true)
      terminal.tell((told = data.detail));
    await context.wait(POLL_MS);
    data = (await goesOn(data.id, client.getClosing({ id: data.id }))).data;
  }
  const code = exitCode(data.status, await whyOpen(context, data.positions));
  if (data.status === 'running') return { json: { data, key }, lines: linesOf(data), code };
  const left = await readLeft(context, broker);
  const unsold = notSold(data, options, left);
  return {
    json: { data, key, delivery: left },
    lines: [...linesOf(data), ...unsold, ...leftLines(left)],
    code: unsold.length > 0 && code === EXIT.done ? EXIT.notDone : code,
  };
}

/** Throws where the options name delivery shares and leave them out at the same time: such a closing sells none. */
async function refuseWhatSellsNothing(
  { client }: Context,
  { product, side, holdings, includeUndelivered, broker }: CloseOptions,
): Promise<void> {
  const refused = (why: string): CommandFailed =>
    new CommandFailed(`${why}; nothing was sent`, EXIT.usage);
  if (holdings === undefined) {
    if (includeUndelivered === true)
      throw refused('--include-undelivered is about shares that --holdings names: add --holdings');
    if (product !== 'CNC') return;
    const held = (await readHeld(client, broker)).map((each) =>
      each.problem === null ? heldText(each) : unreadText(each),
    );
    const words = 'a closing sells delivery shares (CNC) only where --holdings names them';
    throw refused([`${words}, as in close-all --holdings INFY TCS`, ...held].join('. '));
  }
  if (product !== undefined && product !== 'CNC')
    throw refused(`--holdings names delivery shares, and --product ${product} leaves them out`);
  if (side === 'SELL')
    throw refused(
      '--holdings names delivery shares, which are long, and --side sell leaves them out',
    );
}

function heldText(account: HeldNow): string {
  const shares = account.delivery.map(deliveryText).join(', ');
  return `Held at ${accountText(account)}: ${shares === '' ? 'no delivery shares' : shares}`;
}

/** `3 of 10` where others have made the rest of the position, which stays. */
const closedText = ({ net, quantity }: Closing['positions'][number]): string =>
  quantity === null || quantity === Math.abs(net)
    ? String(net)
    : `${Math.sign(net) * quantity} of ${net}`;

const linesOf = (data: Closing): readonly string[] => [
  ...data.positions.map(
    (leg) =>
      `${leg.status}: ${closedText(leg)} ${leg.instrument} ${leg.product} at ${accountText(leg)}` +
      (leg.reason === null ? '' : `: ${leg.reason}`),
  ),
  ...data.unread.map(
    (row) =>
      `not closed: a row of the ${row.list} at ${accountText(row)} cannot be read: ` +
      `${row.instrument ?? 'an instrument that cannot be read'}, ${row.reason}`,
  ),
  data.positions.length + data.unread.length === 0
    ? `Nothing was closed: the closing found no position that it was asked for (${data.id})`
    : `${data.status}: ${data.detail} (${data.id})`,
];

/** `leg_uncertain` where it is not known what an order of the closing has done; null otherwise. */
async function whyOpen(
  { client }: Context,
  positions: Closing['positions'],
): Promise<string | null> {
  for (const { exitId, status } of positions) {
    if (exitId === null || (status !== 'stopped' && status !== 'partly_flat')) continue;
    const { data } = await goesOn(exitId, client.getExit({ id: exitId }));
    if (data.why === 'leg_uncertain') return data.why;
  }
  return null;
}

/** What the accounts hold after the closing; null where that cannot be read, which changes nothing of how it ended. */
async function readLeft(
  { client, terminal }: Context,
  broker: string | undefined,
): Promise<readonly HeldLeft[] | null> {
  try {
    const accounts = await readHeld(client, broker);
    return accounts.map(({ delivery, problem, ...account }) => ({
      ...{ broker: account.broker, mode: account.mode },
      ...{ shares: problem === null ? delivery : null, problem },
    }));
  } catch (error) {
    terminal.tell(`What delivery shares are still held cannot be read: ${messageOf(error)}`);
    return null;
  }
}

interface HeldLeft extends Pick<HeldNow, 'broker' | 'mode' | 'problem'> {
  /** Null where they could not be read. */
  readonly shares: readonly DeliveryShares[] | null;
}

const leftLines = (left: readonly HeldLeft[] | null): readonly string[] =>
  (left ?? []).flatMap(({ shares, ...account }) => {
    const where = accountText(account);
    if (shares === null)
      return [`What delivery shares ${where} still holds cannot be read: ${account.problem ?? ''}`];
    if (shares.length === 0) return [];
    return [`Delivery shares still held at ${where}: ${shares.map(deliveryText).join(', ')}`];
  });

/** Delivery shares that the request names, and of which the closing found none to sell. */
function notSold(
  { positions }: Closing,
  { holdings = [], instrument }: CloseOptions,
  left: readonly HeldLeft[] | null,
): readonly string[] {
  const isPlanned = (name: string): boolean =>
    positions.some((each) => each.product === 'CNC' && canBe(name, each.instrument));
  const missing = holdings.filter((name) => !isPlanned(name));
  const lines = missing.map(
    (name) =>
      `not sold: ${name}: no delivered shares of it are held that the closing may sell; T1 shares and those ` +
      'bought today need --include-undelivered',
  );
  const isHeld = (name: string): boolean =>
    (left ?? []).some(({ shares }) => (shares ?? []).some((each) => canBe(name, each.instrument)));
  if (
    instrument !== undefined &&
    positions.length === 0 &&
    missing.length === 0 &&
    isHeld(instrument)
  )
    return [`not sold: the delivery shares of ${instrument}: name them with --holdings`];
  return lines;
}
