import { type CallInput, newKey, ProblemError } from '../../client/index.ts';
import { rupees } from '../../src/domain/rupees.ts';
import {
  type AddCommands,
  type AskingOptions,
  BROKER_OPTION,
  confirm,
  type Context,
  given,
  JSON_OPTION,
  oneOf,
  priceNumber,
  productOption,
  type PRODUCTS,
  type Result,
  wholeNumber,
  YES_OPTION,
} from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { accountText, codeOf, orderLine } from './orders.ts';

type OrderBody = CallInput<'placeOrder'>['body'];

interface PlaceOptions extends AskingOptions {
  readonly limit?: number;
  readonly trigger?: number;
  readonly product: (typeof PRODUCTS)[number];
  readonly validity?: 'DAY' | 'IOC';
  readonly broker?: string;
  readonly live?: boolean;
  readonly tag?: string;
  readonly key?: string;
}

const SIDES = ['BUY', 'SELL'] as const;

/** `order`: shows where an order will go and what it costs, asks, and places it. */
export const addPlaceCommand: AddCommands = (program, run) => {
  program
    .command('order')
    .description('places an order, after it has shown where it will go and what it costs')
    .argument('<side>', 'buy or sell', oneOf(SIDES))
    .argument('<instrument>', 'such as INFY or NFO:NIFTY26NOV24450CE')
    .argument('<quantity>', 'shares or units, not lots', wholeNumber)
    .option('--limit <price>', 'the worst price; without it a market order', priceNumber)
    .option('--trigger <price>', 'a stop order, which waits for this price', priceNumber)
    .option('--product <product>', 'CNC, INTRADAY (MIS) or MARGIN (NRML)', productOption, 'CNC')
    .option('--validity <validity>', 'DAY or IOC', oneOf(['DAY', 'IOC'] as const))
    .option(...BROKER_OPTION)
    .option('--live', 'with real money or not at all: never on paper')
    .option('--tag <tag>', 'a word of yours on the order')
    .option(
      '--key <key>',
      'the idempotency key: an order that was placed under it is not placed again',
    )
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action((side: 'BUY' | 'SELL', instrument: string, quantity: number, options: PlaceOptions) =>
      run(options, (context) =>
        place(context, bodyOf(side, instrument, quantity, options), options),
      ),
    );
};

function bodyOf(
  side: 'BUY' | 'SELL',
  instrument: string,
  quantity: number,
  { limit, trigger, product, validity, broker, live, tag }: PlaceOptions,
): OrderBody {
  const terms = { instrument, side, quantity, product };
  const others = given({
    validity,
    broker,
    tag,
    mode: live === true ? ('live' as const) : undefined,
  });
  if (trigger === undefined) {
    return limit === undefined
      ? { ...terms, ...others, orderType: 'MARKET' }
      : { ...terms, ...others, orderType: 'LIMIT', price: limit };
  }
  return limit === undefined
    ? { ...terms, ...others, orderType: 'SL-M', triggerPrice: trigger }
    : { ...terms, ...others, orderType: 'SL', price: limit, triggerPrice: trigger };
}

/** Longer than for a read: the same order, under the same key, is asked about until it has an answer. */
const PATIENCE_MS = 15_000;

async function place(context: Context, body: OrderBody, options: PlaceOptions): Promise<Result> {
  const { client, terminal } = context;
  const key = options.key ?? `cli-${newKey()}`;
  // Where the program is ended in between, this is what finds the order again.
  const found = `The key of the order is ${key}`;
  if (options.yes === true) {
    if (options.key === undefined) terminal.tell(found);
  } else {
    await confirm(context, options, [...(await preview(context, body)), found], 'Place it?');
  }
  const { data, replayed, httpStatus } = await client.placeOrder({
    body,
    ...{ key, keyIsNew: options.key === undefined },
    patienceMs: PATIENCE_MS,
  });
  const code = codeOf(data, httpStatus);
  const before = replayed ? ['This key had placed an order before; nothing was sent now.'] : [];
  return {
    json: { data, replayed, key, httpStatus },
    lines: [...before, orderLine(data), ...next(code, key)],
    code,
  };
}

function next(code: number, key: string): readonly string[] {
  if (code !== EXIT.notKnown) return [];
  return [
    `It is not known whether it is at the broker. Do not place it again: orders shows when it is known, ` +
      `and the same command with --key ${key} answers how it stands.`,
  ];
}

/** Where the order would go, and what it would block and cost. An order that is refused already is not asked about. */
async function preview({ client }: Context, body: OrderBody): Promise<readonly string[]> {
  const { side, quantity, instrument, orderType, product } = body;
  const prices = [body.price, body.triggerPrice].flatMap((each) =>
    typeof each !== 'number' ? [] : [rupees(each)],
  );
  const terms = [`${side} ${quantity} ${instrument} ${product} ${orderType}`, ...prices].join(' ');
  try {
    const { data, meta } = await client.getMargins({ body: { orders: [body] } });
    const account = `${accountText(meta)}${meta.mode === 'live' ? ', with real money' : ''}`;
    const { required, available, shortfall, charges } = data;
    return [
      `${terms}`,
      `Goes to     ${account}`,
      `Blocks      ${rupees(required)}${available === null ? '' : ` of ${rupees(available)}`}`,
      `Charges     ${charges === null ? 'not known' : `about ${rupees(charges.total)}`}`,
      ...(shortfall !== null && shortfall > 0 ? [`Too little by ${rupees(shortfall)}`] : []),
    ];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (isMistake(error)) throw error;
    // What cannot be told now may be placed all the same: a way out is not to depend on it.
    return [terms, `Where it goes and what it costs cannot be told: ${error.problem.detail}`];
  }
}

/** The order itself is wrong; 409 and 429 tell of the moment, and not of the order. */
const isMistake = ({ httpStatus }: ProblemError): boolean =>
  httpStatus < 500 && httpStatus !== 409 && httpStatus !== 429;
