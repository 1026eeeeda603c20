import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import { KITE } from './rig.ts';

/** What another program does with the same app and session: the gateway hears of it by postback. */
export function elsewhere(
  sandbox: Sandbox,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  form: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const reaction = sandbox.handle({
    method,
    url: `http://kite.test${path}`,
    headers: {
      authorization: `token ${KITE.apiKey}:${sandbox.kite.liveToken() ?? ''}`,
      'x-kite-version': '3',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  });
  if (reaction.kind !== 'answer' || reaction.status !== 200) {
    throw new Error(`${method} ${path}: ${JSON.stringify(reaction)}`);
  }
  return (JSON.parse(reaction.body) as { data: Readonly<Record<string, unknown>> }).data;
}
