import type { Browser, Page } from 'playwright-core';
import { reservePort } from '../support/reserve-port.ts';
import { createStage, serveGateway, type ServedGateway, type Stage } from '../support/served.ts';

/** A gateway in front of the sandbox, and a browser of its own before it. */
export interface Visit extends AsyncDisposable {
  readonly stage: Stage;
  readonly gateway: ServedGateway;
  /** A tab with cookies of its own: another person, as far as the gateway can tell. */
  tab(): Promise<Tab>;
  /** The login as the gateway tells it. */
  told(): Promise<{ readonly state: string; readonly userId: string | null }>;
}

export interface Tab {
  readonly page: Page;
  /** What the browser complained of: broken policies, missing files, scripts that fail. */
  readonly complaints: readonly string[];
}

/** `more` are settings of the gateway. */
export async function visit(
  browser: Browser,
  more: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  await using stack = new AsyncDisposableStack();
  const reserved = await reservePort();
  stack.defer(() => reserved.free());
  const stage = await createStage({
    redirectUrl: `http://127.0.0.1:${reserved.port}/api/altbroker/callback`,
  });
  stack.use(stage);
  await reserved.free();
  const gateway = await serveGateway(stage, { APP_PORT: String(reserved.port), ...more });
  stack.use(gateway);
  const owned = stack.move();
  return {
    stage,
    gateway,
    async tab() {
      const context = await browser.newContext();
      owned.defer(() => context.close());
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        // A browser asks for an icon by itself; there is none.
        const forIcon = message.location().url.endsWith('/favicon.ico');
        if (message.type() === 'error' && !forIcon) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      return { page, complaints };
    },
    async told() {
      const { body } = await gateway.client.get('/api/altbroker/status');
      return { state: body.data.state, userId: body.data.userId };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What a person sees of a page. */
export async function shown(page: Page): Promise<{ title: string; text: string }> {
  return { title: await page.title(), text: await page.locator('body').innerText() };
}
