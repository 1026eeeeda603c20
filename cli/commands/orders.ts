import { type Answer, ProblemError } from '../../client/index.ts';
import { rupees } from '../../src/domain/rupees.ts';
import { printable } from '../../src/platform/printable.ts';
import { must } from '../../src/platform/values.ts';
import {
  type AddCommands,
  BROKER_OPTION,
  type CommonOptions,
  type Context,
  given,
  JSON_OPTION,
  type Result,
} from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { failureOf } from '../failures.ts';
import { type Column, table, timeOf } from '../table.ts';

export type Order = Answer<'getOrders'>['data'][number];

interface ListOptions extends CommonOptions {
  readonly status?: string;
  readonly broker?: string;
  readonly day?: string;
  readonly mine?: boolean;
}

interface CancelOptions extends CommonOptions {
  readonly broker?: string;
  readonly key?: string;
}

/** `orders` and `cancel`. */
export const addOrderCommands: AddCommands = (program, run) => {
  program
    .command('orders')
    .description('the orders of today, those placed elsewhere too')
    .option('--status <statuses>', 'open, or statuses separated by commas: working,partial')
    .option(...BROKER_OPTION)
    .option('--day <date>', 'another day, as 2026-11-23')
    .option('--mine', 'those of this key alone')
    .option(...JSON_OPTION)
    .action((options: ListOptions) => run(options, (context) => listOrders(context, options)));
  program
    .command('cancel')
    .description('cancels orders, each for itself, without asking: a cancel opens no position')
    .argument('<id...>', 'ids of orders, as `orders` shows them')
    .option(...BROKER_OPTION)
    .option('--key <key>', 'the idempotency key, for one id: to ask again what became of it')
    .option(...JSON_OPTION)
    .action((ids: string[], options: CancelOptions) =>
      run(options, (context) => cancelOrders(context, ids, options)),
    );
};

async function listOrders({ client }: Context, options: ListOptions): Promise<Result> {
  const { status, broker, day, mine } = options;
  const scope = mine === true ? ('mine' as const) : undefined;
  const orders: Order[] = [];
  for await (const order of client.items('getOrders', given({ status, broker, day, scope }))) {
    orders.push(order);
  }
  const lines = orders.length === 0 ? ['No orders.'] : table(orders, ORDER_COLUMNS);
  return { json: { data: orders }, lines };
}

const ORDER_COLUMNS: readonly Column<Order>[] = [
  ['Time', ({ createdAt }) => timeOf(createdAt)],
  ['Side', ({ side }) => side],
  ['Quantity', ({ quantity }) => quantity, 'right'],
  ['Instrument', ({ instrument }) => instrument],
  ['Type', ({ orderType }) => orderType],
  ['Price', ({ price, triggerPrice }) => priceText(price, triggerPrice), 'right'],
  ['Status', ({ status }) => status],
  ['Filled', (order) => filledText(order)],
  ['At', (order) => accountText(order)],
  ['Id', ({ id }) => id],
];

const priceText = (price: number | null, trigger: number | null): string | null => {
  const texts = [price, trigger].filter((each) => each !== null).map(rupees);
  return texts.length === 0 ? null : texts.join(' / ');
};

/** What is filled is not known of an order whose outcome is not known: that is not 0. */
function filledText({ filledQuantity, averagePrice }: Order): string {
  if (filledQuantity === null) return 'not known';
  return averagePrice === null
    ? `${filledQuantity}`
    : `${filledQuantity} at ${rupees(averagePrice)}`;
}

/** `alt`, or `paper (paper)`: what is no real money is marked as such. */
export const accountText = ({ broker, mode }: Pick<Order, 'broker' | 'mode'>): string =>
  mode === 'paper' ? `${broker} (paper)` : broker;

/** One line about an order: its terms, what became of it, and its id. */
export function orderLine(order: Order): string {
  const { side, quantity, instrument, orderType, status, reason, id } = order;
  const price = priceText(order.price, order.triggerPrice);
  const terms = `${side} ${quantity} ${instrument} ${orderType}${price === null ? '' : ` ${price}`}`;
  const why = reason === null ? '' : `: ${reason}`;
  const line = `${status}, filled ${filledText(order)}: ${terms} at ${accountText(order)}${why}  (${id})`;
  return printable(line);
}

/**
 * What the state of an order means to who asked for it. 202 says that it is not known yet, also where the status is
 * another one: on a full disk the gateway cannot write down what came of an order.
 */
export function codeOf({ status }: Pick<Order, 'status'>, httpStatus: number): ExitCode {
  if (httpStatus === 202 || status === 'uncertain' || status === 'disputed') return EXIT.notKnown;
  return status === 'rejected' || status === 'not_sent' ? EXIT.notDone : EXIT.done;
}

/**
 * The ids one after the other, each whatever became of those before; where the gateway does not answer, those that
 * are left are not tried.
 */
async function cancelOrders(
  { client, url, terminal }: Context,
  ids: readonly string[],
  { broker, key, json }: CancelOptions,
): Promise<Result> {
  const data: unknown[] = [];
  const lines: string[] = [];
  const codes: ExitCode[] = [];
  for (const id of ids) {
    try {
      const answer = await client.cancelOrder({
        ...{ id, ...given({ broker, key: ids.length === 1 ? key : undefined }) },
      });
      data.push(answer.data);
      lines.push(orderLine(answer.data));
      const code = codeOf(answer.data, answer.httpStatus);
      codes.push(code === EXIT.notKnown ? EXIT.notKnown : EXIT.done);
    } catch (error) {
      if (ids.length === 1 || !(error instanceof ProblemError)) {
        if (json !== true) for (const line of lines) terminal.tell(line);
        throw error;
      }
      const failure = must(failureOf(error, url), 'a problem is always told');
      data.push({ id, problem: error.problem });
      lines.push(`${id}: ${failure.text}`);
      codes.push(failure.code);
    }
  }
  return { json: { data }, lines, code: worst(codes) };
}

/** What is not known comes before what was refused. */
function worst(codes: readonly ExitCode[]): ExitCode {
  const found = [EXIT.notKnown, EXIT.unreachable, EXIT.notDone].find((code) =>
    codes.includes(code),
  );
  return found ?? EXIT.done;
}
