import { type Answer, newKey } from '../../client/index.ts';
import {
  type AddCommands,
  type AskingOptions,
  BROKER_OPTION,
  confirm,
  type Context,
  given,
  JSON_OPTION,
  CommandFailed,
  productOption,
  type PRODUCTS,
  type Result,
  wholeNumber,
  YES_OPTION,
} from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { exitCode, goesOn, KEY_OPTION, POLL_MS } from './begun.ts';
import { canBe } from './held.ts';
import { whatIsExited } from './what-is-exited.ts';
import { accountText } from './orders.ts';

interface ExitOptions extends AskingOptions {
  readonly product?: (typeof PRODUCTS)[number];
  readonly quantity?: number;
  readonly broker?: string;
  readonly cancelExternal?: boolean;
  readonly wait: boolean;
  readonly key?: string;
}

interface KillOptions extends AskingOptions {
  readonly reason?: string;
  readonly release?: boolean;
}

/** `exit` and `kill`. */
export const addWaysOut: AddCommands = (program, run) => {
  program
    .command('exit')
    .description(
      'ends a position, and waits until it is flat: cancels the orders of the gateway that rest for it, then sells or buys it back. Of product CNC it sells the delivery shares still held. Shows what it does, and asks',
    )
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
    .command('kill')
    .description(
      'engages the kill switch: no order that opens a position is sent any more. Cancels, exits and orders that only reduce pass; open orders and positions stay as they are',
    )
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
  if (options.yes !== true) {
    const lines = await whatIsExited(client, { instrument, product, quantity, broker });
    await confirm(context, options, lines, 'Exit it?');
  }
  const body = { instrument, product, ...given({ quantity, broker, cancelExternal }) };
  let { data } = await client.startExit({ body, key, keyIsNew: options.key === undefined });
  let told = '';
  while (options.wait && data.status === 'running') {
    if (data.detail !== told && options.json !== true) terminal.tell((told = data.detail));
    await context.wait(POLL_MS);
    data = (await goesOn(data.id, client.getExit({ id: data.id }))).data;
  }
  const line = `${data.status}: ${data.detail} (${accountText(data)}, ${data.id})`;
  return { json: { data, key }, lines: [line], code: exitCode(data.status, data.why) };
}

/** The one product in which the instrument is held: two of them are two positions. */
async function heldProduct(
  { client }: Context,
  instrument: string,
  broker: string | undefined,
): Promise<(typeof PRODUCTS)[number]> {
  const { data } = await client.getPositions({ maxAgeMs: 0, ...given({ broker }) });
  // A row of CNC that was sold is no position: what is left of the holdings is sold only where somebody says CNC.
  const isOpen = (each: Position): boolean =>
    each.product === 'CNC' ? each.quantity > 0 : each.quantity !== 0;
  const held = data.filter((each) => isOpen(each) && canBe(instrument, each.instrument));
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
