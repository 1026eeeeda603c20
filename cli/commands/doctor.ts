import { messageOf } from '../../src/platform/values.ts';
import {
  type AddCommands,
  type AskingOptions,
  CommandFailed,
  confirm,
  type Context,
  JSON_OPTION,
  type Result,
  YES_OPTION,
} from '../command.ts';
import { type Finding, findingLine, look, skipped, wrong } from '../doctor/finding.ts';
import { liveRound } from '../doctor/live-round.ts';
import { checkServer, checkTelegram, checkTunnel, type Outside } from '../doctor/outside.ts';
import { answersAt, checkGateway } from '../doctor/the-gateway.ts';
import {
  checkDataDirectory,
  checkFileModes,
  checkPort,
  checkSettings,
} from '../doctor/this-machine.ts';
import { EXIT } from '../exit-codes.ts';

interface DoctorOptions extends AskingOptions {
  readonly tunnel?: string;
  readonly live?: boolean;
  readonly instrument: string;
  readonly broker?: string;
}

/** `doctor`: what is wrong, and what to do about it. */
export const addDoctorCommand =
  (outside: Outside): AddCommands =>
  (program, run) => {
    program
      .command('doctor')
      .description('looks at settings, files, clock, ports, brokers, session, Telegram and tunnel')
      .option(
        '--tunnel <url>',
        'also look whether this tunnel leads to the postbacks or to the hooks, and to nothing else',
      )
      .option(
        '--live',
        'also read each live broker, and place and cancel one LIMIT order of one share there',
      )
      .option('--instrument <instrument>', 'the share of that order', 'NSE:INFY')
      .option('--broker <name>', 'do that at this broker alone; at those of the route when absent')
      .option(...YES_OPTION)
      .option(...JSON_OPTION)
      .action((options: DoctorOptions) =>
        run(options, (context) => examine(context, options, outside), 'whatever'),
      );
  };

async function examine(
  context: Context,
  options: DoctorOptions,
  outside: Outside,
): Promise<Result> {
  const { client, url, environment, files } = context;
  const { configuration, findings } = checkSettings(environment, files);
  const all: Finding[] = [...findings];
  const runs = await answersAt(client);
  if (configuration !== null) {
    const { server, alt, primary } = configuration.settings;
    all.push(...checkFileModes(server.dataDirectory), checkDataDirectory(server.dataDirectory));
    const servers = [...(alt === null ? [] : [alt.apiRoot]), primary.baseUrl];
    for (const each of servers) all.push(...(await checkServer('network', each, outside)));
    all.push(await checkTelegram(configuration, outside));
    if (!runs) {
      all.push(await checkPort(server.host, server.port, 'APP_PORT'));
      all.push(await checkPort(server.host, server.postbackPort, 'APP_POSTBACK_PORT'));
      all.push(await checkPort(server.host, server.hooksPort, 'APP_HOOKS_PORT'));
    }
  }
  if (runs && context.hasKey) all.push(...(await checkGateway(client, url)));
  else if (runs)
    all.push(
      look(
        'key',
        'APP_CLI_KEY is not set, so a gateway that runs is not asked: keys add makes one',
      ),
    );
  else all.push(skipped('gateway', `none answers at ${url}: start it, and run this again`));
  if (options.tunnel === undefined) all.push(skipped('tunnel', 'name it with --tunnel https://…'));
  else all.push(...(await checkTunnel(options.tunnel, outside)));
  if (options.live === true) all.push(...(await live(context, options, all)));
  return {
    json: { data: all },
    lines: all.map(findingLine),
    code: all.some(({ state }) => state === 'wrong') ? EXIT.notDone : EXIT.done,
  };
}

async function live(
  context: Context,
  options: DoctorOptions,
  found: readonly Finding[],
): Promise<readonly Finding[]> {
  const failed = found.filter(({ state }) => state === 'wrong');
  if (failed.length > 0) {
    for (const each of found) context.terminal.tell(findingLine(each));
    throw new CommandFailed('something is wrong already: mend that before an order is placed');
  }
  const data = await context.client.getBrokers().then((answer) => answer.data, messageOf);
  if (typeof data === 'string') return [wrong('live', `the brokers cannot be read: ${data}`)];
  const brokers = data.filter(
    ({ broker, mode, parts }) =>
      mode === 'live' &&
      (options.broker === undefined || broker === options.broker) &&
      parts.some(
        ({ part, available, chosenBy }) =>
          part === 'trading' && available && (chosenBy === 'route' || broker === options.broker),
      ),
  );
  if (brokers.length === 0) {
    const which = options.broker ?? 'no live broker of the route';
    const cannot = options.broker === undefined ? 'takes orders now' : 'takes no live orders now';
    return [wrong('live', `${which} ${cannot}: run login`)];
  }
  const all: Finding[] = [];
  for (const { broker } of brokers) {
    const lines = [
      `At ${broker}, with real money: profile, funds, positions, holdings and orders are read, then one share of`,
      `${options.instrument} is bid for about 4 % below its price, as a CNC order, and the order is cancelled.`,
    ];
    try {
      await confirm(context, options, lines, `Do it at ${broker}?`);
    } catch (error) {
      // What was done at the brokers before this one is told all the same.
      if (!(error instanceof CommandFailed) || all.length === 0) throw error;
      all.push(skipped('live', `${broker}: ${error.message}`));
      continue;
    }
    all.push(...(await liveRound(context.client, broker, options.instrument, context.wait)));
  }
  return all;
}
