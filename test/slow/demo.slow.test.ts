import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runDemoCommand } from '../../sandbox/demo/command.ts';
import { type Demo, startDemo } from '../../sandbox/demo/demo.ts';
import { ADMIN_KEY } from '../../sandbox/demo/settings.ts';
import { startGateway } from '../support/gateway-process.ts';
import { startRealDemo } from '../support/real-demo.ts';
import { createStage } from '../support/served.ts';
import { createSocketClient, logInOverSockets } from '../support/socket-client.ts';
import { until } from '../support/until.ts';

const PARENT = fileURLToPath(new URL('./gateway-parent.ts', import.meta.url));

async function command(demo: Demo, words: string) {
  const [out, told]: [string[], string[]] = [[], []];
  const code = await runDemoCommand(words.split(' '), {
    ...{ origin: demo.served.controlOrigin, fetch },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    out: (line) => void out.push(line),
    tell: (line) => void told.push(line),
  });
  return { code, out: out.join('\n'), told };
}

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('the demo', () => {
  it('kills its gateway, has it back with every order, and leaves nothing behind', async () => {
    const lines: string[] = [];
    let [url, dataDirectory] = ['', ''];
    {
      await using demo = await startRealDemo(lines);
      ({ url } = demo.gateway);
      ({ dataDirectory } = demo);
      expect(existsSync(dataDirectory)).toBe(true);
      const client = createSocketClient(url, ADMIN_KEY);
      expect((await logInOverSockets(url)).status).toBe(200);
      const { code: bought } = await command(demo, 'buy');
      expect(bought).toBe(0);
      const ids = async (): Promise<readonly string[]> => {
        const { body } = await client.get('/api/v1/orders?broker=alt&maxAgeMs=0');
        return body.data.map(({ id }: { id: string }) => id);
      };
      const [first] = await ids();

      const killed = await command(demo, 'break kill');
      expect(killed).toMatchObject({ code: 0, told: [] });
      expect(killed.out).toMatch(
        /Kite accepts order[\s\S]*is killed with SIGKILL[\s\S]*listens again[\s\S]*found in the order book by the tag/,
      );
      expect(demo.gateway.restarts()).toBe(1);
      const { kite } = demo.served.sandbox;
      expect(kite.orders().map(({ quantity }) => quantity)).toEqual([10, 3]);
      expect([(await ids()).includes(first ?? ''), (await ids()).length]).toEqual([true, 2]);
    }
    // A death that the demo has asked for is no news at the terminal.
    expect(lines).toEqual([]);
    expect(await isGone(url)).toBe(true);
    expect(existsSync(dataDirectory)).toBe(false);
  });

  it('alone has its buttons: a gateway that was started as such has no route of them', async () => {
    await using stage = await createStage();
    await using gateway = await startGateway(stage);
    const page = await fetch(gateway.url);
    expect([page.status, (await page.text()).includes('demo')]).toEqual([200, false]);
    for (const path of ['/demo/bar.js', '/demo/bar.css', '/demo/state', '/demo/run']) {
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(404);
    }
  });

  it('whose port is taken says so, and ends', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const ports = { gateway: port, postback: 0, kite: 0, primary: 0, control: 0 };
    const start = startDemo({ ports, further: {}, environment: {}, tell: () => undefined });
    await expect(start).rejects.toThrow(/APP_PORT.*a free port: another program has this one/);
    await new Promise((resolve) => taken.close(resolve));
  });

  it('that is killed itself takes its gateway with it', async () => {
    await using stage = await createStage();
    const parent = spawn(process.execPath, [PARENT], {
      ...{ cwd: stage.dataDirectory, env: { ...stage.environment } },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const url = await new Promise<string>((resolve) => {
        parent.stdout.setEncoding('utf8').on('data', (text: string) => {
          const found = /http:\S+/.exec(text)?.[0];
          if (found !== undefined) resolve(found);
        });
      });
      expect(await isGone(url)).toBe(false);
      parent.kill('SIGKILL');
      await until('the gateway is gone', () => isGone(url));
      await until(
        'it has stopped as at any stop',
        () => !existsSync(`${stage.dataDirectory}/gateway.pid`),
      );
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
