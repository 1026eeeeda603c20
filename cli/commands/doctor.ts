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
import { EXIT, type ExitCode } from '../exit-codes.ts';

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
  const round = options.live === true ? await live(context, options, all) : null;
  all.push(...(round?.findings ?? []));
  const isWrong = all.some(({ state }) => state === 'wrong');
  return {
    json: { data: all },
    lines: all.map(findingLine),
    code: round?.refused ?? (isWrong ? EXIT.notDone : EXIT.done),
  };
}

/** The report has every finding in both forms, whatever the round comes to. */
interface Round {
  readonly findings: readonly Finding[];
  /** Where nothing was done at any broker, because nobody has confirmed it. */
  readonly refused?: ExitCode;
}

async function live(
  context: Context,
  options: DoctorOptions,
  found: readonly Finding[],
): Promise<Round> {
  if (found.some(({ state }) => state === 'wrong')) {
    const why = 'nothing was done, since something is wrong already: mend that first';
    return { findings: [skipped('live', why)] };
  }
  const data = await context.client.getBrokers().then((answer) => answer.data, messageOf);
  if (typeof data === 'string') {
    return { findings: [wrong('live', `the brokers cannot be read: ${data}`)] };
  }
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
    return { findings: [wrong('live', `${which} ${cannot}: run login`)] };
  }
  const all: Finding[] = [];
  let refused: ExitCode | undefined;
  for (const { broker } of brokers) {
    const lines = [
      `At ${broker}, with real money: profile, funds, positions, holdings and orders are read, then one share of`,
      `${options.instrument} is bid for about 4 % below its price, as a CNC order, and the order is cancelled.`,
    ];
    try {
      await confirm(context, options, lines, `Do it at ${broker}?`);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (all.length === 0) refused = error.code;
      all.push(skipped('live', `${broker}: ${error.message}`));
      continue;
    }
    refused = undefined;
    all.push(...(await liveRound(context.client, broker, options.instrument, context.wait)));
  }
  return { findings: all, ...(refused === undefined ? {} : { refused }) };
}
