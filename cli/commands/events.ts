import {
  type AddCommands,
  type CommonOptions,
  type Context,
  given,
  JSON_OPTION,
  type Result,
  wholeNumber,
} from '../command.ts';
import { eventLine } from '../event-line.ts';

interface EventOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly after?: string;
  readonly type?: string;
  readonly order?: string;
  readonly instrument?: string;
  readonly mine?: boolean;
  readonly count?: number;
}

/** The gateway may be stopped over a night, and its events go on after it. */
const PATIENCE_MS = 24 * 3_600_000;

/** `events`: what happens, a line for each, until Ctrl+C. */
export const addEventCommand: AddCommands = (program, run) => {
  program
    .command('events')
    .description('what happens from now on, a line for each event, over restarts of the gateway')
    .option('--follow', 'goes on until Ctrl+C; this is what it does in any case')
    .option('--after <id>', 'begins after this event, the last one that you have')
    .option('--type <types>', 'events of these types alone: order.fill,alert')
    .option('--order <id>', 'of this order alone')
    .option('--instrument <instrument>', 'of this instrument alone, as NSE:INFY')
    .option('--mine', 'what this key has asked for')
    .option('--count <number>', 'ends after so many', wholeNumber)
    .option(...JSON_OPTION)
    .action((options: EventOptions) => run(options, (context) => follow(context, options)));
};

async function follow({ client, terminal }: Context, options: EventOptions): Promise<Result> {
  const { after, type, order, instrument, mine, count = Infinity, json } = options;
  // A gateway that does not run, or does not know the key, is told at once; later cuts are waited out.
  await client.getKey({ id: 'me' });
  const scope = mine === true ? ('mine' as const) : undefined;
  const filters = given({ after, type, order, instrument, scope });
  let left = count;
  for await (const event of client.events({ ...filters, patienceMs: PATIENCE_MS })) {
    terminal.out(json === true ? JSON.stringify(event) : eventLine(event));
    left -= 1;
    if (left <= 0) break;
  }
  return { lines: [], json: undefined };
}
