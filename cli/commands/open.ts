import {
  type AddCommands,
  type CommonOptions,
  type Context,
  JSON_OPTION,
  type Result,
} from '../command.ts';
import { dateAndTimeOf } from '../table.ts';

interface OpenOptions extends CommonOptions {
  readonly browser: boolean;
}

/** `open`: the dashboard, for a browser of the person (docs/dashboard.md). */
export const addOpenCommand: AddCommands = (program, run) => {
  program
    .command('open')
    .description('opens the dashboard in your browser, signed in as your key')
    .option('--no-browser', 'print the link alone, to open it yourself')
    .option(...JSON_OPTION)
    .action((options: OpenOptions) => run(options, (context) => openDashboard(context, options)));
};

async function openDashboard(
  { client, url, terminal }: Context,
  { browser, json = false }: OpenOptions,
): Promise<Result> {
  const { data } = await client.createSignInLink();
  const address = `${url}${data.path}`;
  const isOpened = browser && !json && (await terminal.browseSecretly(address));
  const what = isOpened
    ? 'If the browser does not show the dashboard, open this'
    : 'Open this in a browser';
  return {
    json: { data: { url: address, until: data.until } },
    lines: [`${what}, once, until ${dateAndTimeOf(data.until)} IST:`, address],
  };
}
