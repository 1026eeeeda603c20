import { setTimeout as wait } from 'node:timers/promises';
import { browseSecretly, hasDisplay } from '../../cli/browser.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { isForRunningDemo, runDemoCommand } from './command.ts';
import { type Demo, startDemo } from './demo.ts';
import {
  ADMIN_KEY,
  CONTROL_ORIGIN,
  DEMO_HELP,
  DemoUsageError,
  furtherSettings,
  isForHelp,
  NO_BROWSER,
  portsFrom,
} from './settings.ts';

/**
 * Runs the sandbox and the gateway together, without credentials and without a network: for a first
 * hour with the gateway, and to rehearse what it does when a broker fails. docs/demo.md.
 */

const { stdout, stderr, platform, env: environment } = process;
const tell = (line: string): void => void stderr.write(`${line}\n`);

async function demo(given: readonly string[]): Promise<void> {
  const further = furtherSettings(given.filter((text) => text !== NO_BROWSER));
  const opens =
    !given.includes(NO_BROWSER) && hasDisplay({ isTerminal: stdout.isTTY, platform, environment });
  const stopped = new Promise<null>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(null));
  });
  await using running = await startDemo({
    ...{ ports: portsFrom(environment), further, environment },
    tell: (line) => tell(`demo: ${line}`),
  });
  const { url, link: path } = running.gateway;
  const link = `${url}${path}`;
  const isOpened = opens && (await browseSecretly(link));
  stdout.write(welcome(running, { link, isOpened }));
  const reason = await Promise.race([stopped, running.gateway.gaveUp]);
  if (reason !== null) throw new Error(reason);
}

function welcome(
  { gateway: { url }, served }: Demo,
  { link, isOpened }: { readonly link: string; readonly isOpened: boolean },
): string {
  const key = `-H 'Authorization: Bearer ${ADMIN_KEY}'`;
  return `
The gateway and two rehearsal brokers are running. Nothing here is real money.

     ${isOpened ? 'The dashboard opens in your browser. If it does not, use' : 'The dashboard, in a browser: use'} this link, once, within ten minutes:
     ${link}

  1. Before login, prices come from the primary brokerage and orders go to the paper account:
     curl -s ${key} '${url}/api/v1/quotes?instruments=NSE:INFY,NSE:RELIANCE'

  2. Sign in at the alternative broker, in a browser:
     ${url}/api/altbroker/login

  3. After login, the same calls are served by the alternative broker:
     curl -s ${key} -H 'Content-Type: application/json' -H 'Idempotency-Key: my-first-order' \\
       -d '{"instrument":"NSE:INFY","side":"BUY","quantity":10,"orderType":"MARKET","product":"CNC"}' \\
       ${url}/api/v1/orders
     curl -s ${key} ${url}/api/v1/orders

  4. Break it, in a second terminal:
     npx altbroker-gateway demo break hang_after   Kite accepts an order and never answers: a naive script
                                                   buys twice, the gateway once
     npx altbroker-gateway demo break kill         the gateway is killed while its order is at Kite

  Faults of the brokers: ${served.controlOrigin}/faults      All calls: ${url}/docs      Stop with Ctrl+C.

`;
}

try {
  const words = process.argv.slice(2);
  if (isForHelp(words)) stdout.write(`${DEMO_HELP}\n`);
  else if (isForRunningDemo(words)) {
    process.exitCode = await runDemoCommand(words, {
      ...{ origin: CONTROL_ORIGIN, fetch, tell, wait: (ms) => wait(ms) },
      out: (line) => void stdout.write(`${line}\n`),
    });
  } else await demo(words);
} catch (error) {
  tell(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof DemoUsageError ? EXIT.usage : EXIT.notDone;
}
