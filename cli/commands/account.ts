import type { Answer } from '../../client/index.ts';
import { gain, rupees } from '../../src/domain/rupees.ts';
import {
  type AddCommands,
  BROKER_OPTION,
  type CommonOptions,
  type Context,
  given,
  JSON_OPTION,
  type Result,
} from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type Column, table, timeOf } from '../table.ts';
import { accountText } from './orders.ts';

interface ReadOptions extends CommonOptions {
  readonly broker?: string;
}
type Position = Answer<'getPositions'>['data'][number];
type Holding = Answer<'getHoldings'>['data'][number];
type Meta = Answer<'getHoldings'>['meta'];

/** `positions`, `holdings`, `funds` and `quote`. */
export const addReadCommands: AddCommands = (program, run) => {
  const reading = (
    name: string,
    description: string,
    read: (context: Context, options: ReadOptions) => Promise<Result>,
  ): void => {
    program
      .command(name)
      .description(description)
      .option(...BROKER_OPTION)
      .option(...JSON_OPTION)
      .action((options: ReadOptions) => run(options, (context) => read(context, options)));
  };
  reading('positions', 'positions, with their profit', readPositions);
  reading('holdings', 'delivery shares', readHoldings);
  reading('funds', 'cash and margin', readFunds);
  program
    .command('quote')
    .description('prices')
    .argument('<instrument...>', 'such as INFY or NSE:INFY')
    .option(...BROKER_OPTION)
    .option(...JSON_OPTION)
    .action((names: string[], options: ReadOptions) =>
      run(options, (context) => readQuotes(context, names, options)),
    );
};

/** `alt, 09:31:04 IST`: whose figures they are, and of when. */
const from = (meta: Meta): string => `${accountText(meta)}, ${timeOf(meta.asOf)} IST`;
const price = (amount: number | null): string | null => (amount === null ? null : rupees(amount));

const POSITION_COLUMNS: readonly Column<Position>[] = [
  ['Instrument', ({ instrument }) => instrument],
  ['Product', ({ product }) => product],
  ['Quantity', ({ quantity }) => quantity, 'right'],
  ['Average', ({ averagePrice }) => price(averagePrice), 'right'],
  ['Last', ({ lastPrice }) => price(lastPrice), 'right'],
  ['Realised', ({ realisedPnl }) => gain(realisedPnl), 'right'],
  ['Unrealised', ({ unrealisedPnl }) => gain(unrealisedPnl), 'right'],
];

async function readPositions({ client }: Context, { broker }: ReadOptions): Promise<Result> {
  const { data, meta } = await client.getPositions(given({ broker }));
  const lines = data.length === 0 ? ['No positions.'] : table(data, POSITION_COLUMNS);
  return { json: { data, meta }, lines: [...lines, `(${from(meta)})`] };
}

const HOLDING_COLUMNS: readonly Column<Holding>[] = [
  ['Instrument', ({ instrument }) => instrument],
  ['Quantity', ({ quantity }) => quantity, 'right'],
  ['T1', ({ t1Quantity }) => t1Quantity, 'right'],
  ['Average', ({ averagePrice }) => price(averagePrice), 'right'],
  ['Last', ({ lastPrice }) => price(lastPrice), 'right'],
];

async function readHoldings({ client }: Context, { broker }: ReadOptions): Promise<Result> {
  const { data, meta } = await client.getHoldings(given({ broker }));
  const lines = data.length === 0 ? ['No holdings.'] : table(data, HOLDING_COLUMNS);
  return { json: { data, meta }, lines: [...lines, `(${from(meta)})`] };
}

async function readFunds({ client }: Context, { broker }: ReadOptions): Promise<Result> {
  const { data, meta } = await client.getFunds(given({ broker }));
  const figures = [
    ['Available', data.available],
    ['Used', data.used],
    ['Total', data.total],
  ] as const;
  const lines = figures.map(
    ([name, amount]) => `${name.padEnd(10)} ${price(amount) ?? 'not known'}`,
  );
  return { json: { data, meta }, lines: [...lines, `(${from(meta)})`] };
}

type Quote = Answer<'getQuotes'>['data'][string];

const QUOTE_COLUMNS: readonly Column<Quote>[] = [
  ['Instrument', ({ instrument }) => instrument],
  ['Last', ({ lastPrice }) => rupees(lastPrice), 'right'],
  [
    'Change',
    ({ changePercent }) => (changePercent === null ? null : `${changePercent.toFixed(2)} %`),
    'right',
  ],
  ['Bid', ({ bid }) => price(bid), 'right'],
  ['Ask', ({ ask }) => price(ask), 'right'],
  ['Volume', ({ volume }) => volume?.toLocaleString('en-IN') ?? null, 'right'],
];

/** The instruments that have a price; why the others have none is told beside them. */
async function readQuotes(
  { client, terminal }: Context,
  names: readonly string[],
  { broker, json }: ReadOptions,
): Promise<Result> {
  const instruments = names.join(',');
  const { data, meta, errors } = await client.getQuotes({ instruments, ...given({ broker }) });
  const failed = Object.entries(errors);
  if (json !== true) for (const [name, why] of failed) terminal.tell(`${name}: ${why}`);
  return {
    json: { data, errors, meta },
    lines: [...table(Object.values(data), QUOTE_COLUMNS), `(${from(meta)}, ${meta.ageMs} ms old)`],
    code: failed.length === 0 ? EXIT.done : EXIT.notDone,
  };
}
