import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Harness } from '../routes/support/harness.ts';
import { runCommand } from './support/run.ts';

let app: Harness;
beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());
const open = (words = 'open', key = 'read-key') =>
  runCommand(words, { environment: { APP_CLI_URL: app.url, APP_CLI_KEY: key } });

describe('open', () => {
  it('opens the dashboard in the browser with a link, and prints it', async () => {
    const ran = await open();
    const [address = ''] = ran.browsed;
    expect(ran.code).toBe(0);
    expect(address).toMatch(new RegExp(`^${app.url}/#sign-in=abl_[0-9a-f]{64}$`));
    expect(ran.out).toContain(address);
    const link = address.split('=')[1];
    const made = await app.http.post('/api/v1/sign-ins').send({ link });
    expect(made.body.data.key.id).toBe('key_read');
  });

  it('prints alone with --no-browser, and as JSON', async () => {
    const ran = await open('open --no-browser');
    expect([ran.code, ran.browsed]).toEqual([0, []]);
    expect(ran.out).toMatch(/#sign-in=abl_/);
    const { out, browsed } = await open('open --json');
    expect(JSON.parse(out).data.url).toMatch(/#sign-in=abl_/);
    expect(browsed).toEqual([]);
  });

  it('ends with 4 where the gateway does not accept the key', async () => {
    const ran = await open('open', 'wrong-key');
    expect([ran.code, ran.out]).toEqual([4, '']);
  });
});
