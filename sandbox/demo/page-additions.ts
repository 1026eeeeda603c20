import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Overrides } from '../../src/compose.ts';
import type { Fetch } from './naive-script.ts';
import { RUN_NAMES } from './run-record.ts';

type Route = NonNullable<Overrides['ownRoutes']>[number];
type Reply = Awaited<ReturnType<Route['handler']>>;

export interface PageAdditionParts {
  /** Where the controls of the demo are. */
  readonly control: string;
  readonly fetch: Fetch;
  /** The built files of the bar, by name; null for one that was not built. */
  readonly built: (name: string) => string | null;
}

/** Beside `sandbox`, in a clone as in the package: packaging/build-dashboard.ts writes it there. */
const BUILT = join(import.meta.dirname, '../../dashboard/demo/dist');

export function readBuilt(name: string): string | null {
  try {
    return readFileSync(join(BUILT, name), 'utf8');
  } catch {
    return null;
  }
}

const BAR =
  '<link rel="stylesheet" href="/demo/bar.css">' +
  '<script type="module" src="/demo/bar.js"></script></head>';

/**
 * What the demo's gateway has besides: a bar on its page, and the routes that the bar needs. They ask the controls of the
 * demo, which live on while the gateway does not. No other gateway has them.
 */
export function additionsOfDemo(
  parts: PageAdditionParts,
): Required<Pick<Overrides, 'ownRoutes' | 'dashboard'>> {
  return {
    ownRoutes: routesOf(parts),
    dashboard: (files) => (name) => {
      const file = files(name);
      return name === 'index.html' ? (file?.replace('</head>', BAR) ?? null) : file;
    },
  };
}

const common = { scope: 'none', tag: 'Dashboard', problems: [] } as const;

function routesOf({ control, fetch, built }: PageAdditionParts): readonly Route[] {
  const file = (name: string, type: string): Route => ({
    ...{ ...common, method: 'GET', path: `/demo/${name}`, operationId: `demo ${name}` },
    summary: `The bar of the demo: ${name}`,
    replies: { 200: { description: 'The file', schema: z.string(), contentType: type } },
    handler: () => ({ status: 200, content: { kind: 'text', text: built(name) ?? '', type } }),
  });
  async function ask(init: RequestInit = {}): Promise<Reply> {
    try {
      const reply = await fetch(`${control}/demo`, init);
      const value: unknown = await reply.json();
      return { status: reply.status, content: { kind: 'json', value } };
    } catch {
      const message = 'The demo does not answer: start it again in its terminal.';
      return { status: 502, content: { kind: 'json', value: { message } } };
    }
  }
  return [
    file('bar.js', 'text/javascript'),
    file('bar.css', 'text/css'),
    {
      ...{ ...common, method: 'GET', path: '/demo/state', operationId: 'demo state' },
      summary: 'How the demo stands',
      replies: { 200: { description: 'It, with the newest run' } },
      handler: () => ask(),
    },
    {
      ...{ ...common, method: 'POST', path: '/demo/run', operationId: 'demo run' },
      summary: 'Begins a run of the demo',
      body: z.strictObject({ run: z.enum(RUN_NAMES) }),
      replies: { 202: { description: 'It has begun' } },
      handler: ({ body }) =>
        ask({
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    },
  ];
}
