import type { Configuration } from '../../src/config/settings.ts';
import { fieldOf, messageOf } from '../../src/platform/values.ts';
import { type Finding, look, skipped, well, wrong } from './finding.ts';

/** What the checks of the outside need. */
export interface Outside {
  readonly fetch: typeof fetch;
  /** Epoch ms of this machine. */
  readonly now: () => number;
}

const WITHIN_MS = 5_000;
/** A clock further off than this proves nothing about orders (docs/orders.md). */
const MOST_OFFSET_MS = 60_000;
const NOTICED_OFFSET_MS = 2_000;

/** Whether a broker's server is reached, and how far the clock of this machine is off its own. */
export async function checkServer(
  name: string,
  url: string,
  { fetch, now }: Outside,
): Promise<readonly Finding[]> {
  try {
    const sent = now();
    const response = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const told = Date.parse(response.headers.get('date') ?? '');
    const reached = well(name, `${new URL(url).host} answers`);
    if (Number.isNaN(told)) return [reached];
    // The header has whole seconds, and was written somewhere between the two instants.
    return [reached, clockFinding((sent + now()) / 2 - (told + 500))];
  } catch (error) {
    return [wrong(name, `${new URL(url).host} cannot be reached: ${unreachedText(error)}`)];
  }
}

/** With the code of the cause: fetch itself says no more than that it failed. */
function unreachedText(error: unknown): string {
  const code = fieldOf(fieldOf(error, 'cause'), 'code');
  const why = code === undefined ? messageOf(error) : `${messageOf(error)} (${String(code)})`;
  return `${why}: check the address in your settings, the network, the name service, and a firewall or proxy of this machine`;
}

function clockFinding(offMs: number): Finding {
  const seconds = `${(Math.abs(offMs) / 1_000).toFixed(1)} s ${offMs < 0 ? 'behind' : 'ahead of'} the broker's`;
  if (Math.abs(offMs) > MOST_OFFSET_MS)
    return wrong('clock', `${seconds}: switch on the time service of this machine`);
  if (Math.abs(offMs) > NOTICED_OFFSET_MS)
    return look('clock', `${seconds}: is the time service of this machine on?`);
  return well('clock', 'agrees with the broker');
}

/** Whether the bot's token is taken. The token is a part of the address, so no address is told. */
export async function checkTelegram(
  { settings: { telegram }, secrets }: Configuration,
  { fetch }: Outside,
): Promise<Finding> {
  const what = 'Telegram';
  const token = secrets.telegramBotToken;
  if (telegram === null || token === null) return skipped(what, 'no bot is set');
  try {
    const url = `${telegram.apiRoot}/bot${token.reveal()}/getMe`;
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (response.ok) return well(what, 'takes the token of the bot; write /start to it once');
    return wrong(
      what,
      `refuses the token of the bot (HTTP ${response.status}): check APP_TELEGRAM_BOT_TOKEN`,
    );
  } catch {
    return look(what, `${new URL(telegram.apiRoot).host} cannot be reached`);
  }
}

/**
 * Whether a tunnel leads to the listener of the postbacks or to that of the hooks: each refuses in this gateway's words
 * what it does not take, and nothing changes by that. An order API that answers there would be open to everybody.
 */
export async function checkTunnel(tunnel: string, { fetch }: Outside): Promise<readonly Finding[]> {
  const what = 'tunnel';
  const ask = (path: string, method: string) =>
    fetch(new URL(path, tunnel), {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
  const main = (): Finding => {
    const to = 'point it at APP_POSTBACK_PORT or APP_HOOKS_PORT';
    return wrong(what, `${tunnel} leads to the main port, where orders are placed: ${to}`);
  };
  try {
    // The main port alone refuses a host that is not its own, such as that of a tunnel, whatever the path.
    if (await isRefused(ask('/health/live', 'GET'), 421, 'wrong_host')) return [main()];
    const postback = await isRefused(
      ask('/api/altbroker/postback', 'POST'),
      400,
      'invalid_request',
    );
    // The path of a hook takes POST alone, whatever the secret in it.
    const hooks = await isRefused(ask('/hooks/doctor', 'GET'), 405, 'method_not_allowed');
    if (!postback && !hooks) {
      const detail = `${tunnel} leads neither to the port of APP_POSTBACK_PORT nor to that of APP_HOOKS_PORT`;
      return [wrong(what, detail)];
    }
    if ((await ask('/health/live', 'GET')).ok) return [main()];
    const to = [...(postback ? ['postbacks'] : []), ...(hooks ? ['hooks'] : [])];
    return [
      well(
        what,
        `leads to the listener of the ${to.join(' and that of the ')}, and to nothing else`,
      ),
    ];
  } catch (error) {
    return [wrong(what, `${tunnel} cannot be reached: ${unreachedText(error)}`)];
  }
}

async function isRefused(asked: Promise<Response>, status: number, code: string): Promise<boolean> {
  const response = await asked;
  const body: unknown = await response.json().catch(() => null);
  return response.status === status && fieldOf(body, 'code') === code;
}
