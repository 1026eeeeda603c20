import { describe, expect, it } from 'vitest';
import type { FromGateway } from '../../../sandbox/demo/gateway-messages.ts';
import { keepRunning, type Life } from '../../../sandbox/demo/keep-running.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const LISTENING: FromGateway = { kind: 'listening', url: 'http://127.0.0.1:1', link: '/#x' };
const FAILED: FromGateway = { kind: 'failed', reason: 'APP_PORT is "1": use a free port' };

interface FakeLife extends Life {
  end(how: string): void;
  readonly asked: readonly string[];
}

function fakeLife(begins: FromGateway, isDeaf = false): FakeLife {
  const ended = Promise.withResolvers<string>();
  const asked: string[] = [];
  const endsBy = (what: string) => (): void => {
    asked.push(what);
    if (what === 'SIGKILL' || !isDeaf) ended.resolve(what);
  };
  return {
    ...{ begun: Promise.resolve(begins), ended: ended.promise, asked, end: ended.resolve },
    ...{ kill: endsBy('SIGKILL'), stop: endsBy('stop') },
  };
}

/** `begins` says how each start goes; all listen when it is used up. A deaf process ends by nothing but SIGKILL. */
async function keep(begins: readonly FromGateway[] = [], { isDeaf = false } = {}) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const [lives, lines]: [FakeLife[], string[]] = [[], []];
  const launch = (): Life => {
    const life = fakeLife(begins[lives.length] ?? LISTENING, isDeaf);
    lives.push(life);
    return life;
  };
  const last = (): FakeLife => lives[lives.length - 1] ?? fakeLife(FAILED);
  const begun = keepRunning({ launch, clock: time, tell: (line) => void lines.push(line) });
  return { time, lives, lines, last, begun };
}

describe('the gateway of the demo', () => {
  it('is started again when its process ends, and says how that ended', async () => {
    const { time, lives, lines, last, begun } = await keep();
    const gateway = await begun;
    expect([gateway.url, gateway.isListening(), lives.length]).toEqual([
      'http://127.0.0.1:1',
      true,
      1,
    ]);
    last().end('SIGSEGV');
    await time.advance(100);
    expect([gateway.isListening(), lives.length]).toEqual([false, 1]);
    const listens = gateway.listening();
    await time.advance(100);
    await listens;
    expect([gateway.isListening(), lives.length, gateway.restarts()]).toEqual([true, 2, 1]);
    expect(lines).toEqual(['the gateway ended by SIGSEGV; it is started again']);
  });

  it('that ends again and again is started after longer waits, and then given up', async () => {
    const { time, lives, last, begun } = await keep();
    const gateway = await begun;
    let reason: string | null = null;
    void gateway.gaveUp.then((text) => (reason = text));
    const waits: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const [from, before] = [time.now(), lives.length];
      last().end('exit code 1');
      while (lives.length === before) await time.advance(100);
      waits.push(time.now() - from);
    }
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200]);
    expect(reason).toBeNull();
    last().end('exit code 1');
    await time.advance(60_000);
    expect(reason).toMatch(
      /^the gateway ended 6 times in a row by itself, the last time by exit code 1/,
    );
    expect(lives).toHaveLength(6);
  });

  it('that has run for a while counts as well again', async () => {
    const { time, lives, last, begun } = await keep();
    await begun;
    for (let count = 1; count <= 20; count += 1) {
      await time.advance(10_000);
      last().end('exit code 1');
      await time.advance(200);
      expect(lives).toHaveLength(count + 1);
    }
  });

  it('may be killed by the demo as often as a person likes', async () => {
    const { time, lives, lines, begun } = await keep();
    const gateway = await begun;
    for (let count = 1; count <= 20; count += 1) {
      gateway.kill();
      expect(gateway.isListening()).toBe(false);
      await time.advance(200);
      expect([lives.length, gateway.isListening()]).toEqual([count + 1, true]);
    }
    expect(lines).toEqual([]);
  });

  it('whose first start fails is not started again: the reason is that of the start', async () => {
    const { lives, last, begun } = await keep([FAILED]);
    last().end('exit code 1');
    await expect(begun).rejects.toThrow('APP_PORT is "1": use a free port');
    expect(lives).toHaveLength(1);
  });

  it('whose later start fails is told, and tried again', async () => {
    const { time, lives, lines, last, begun } = await keep([LISTENING, FAILED]);
    const gateway = await begun;
    gateway.kill();
    await time.advance(200);
    expect(lines).toEqual(['the gateway did not start: APP_PORT is "1": use a free port']);
    last().end('exit code 1');
    await time.advance(200);
    expect([lives.length, gateway.isListening()]).toEqual([3, true]);
  });

  it('that is stopped ends, and is not started again', async () => {
    const { time, lives, last, begun } = await keep();
    const gateway = await begun;
    await gateway.stop();
    await time.advance(60_000);
    expect([lives.length, last().asked]).toEqual([1, ['stop']]);
  });

  it('that does not end when it is stopped is killed', async () => {
    const { time, lives, last, begun } = await keep([], { isDeaf: true });
    const gateway = await begun;
    const stopped = gateway.stop();
    await time.advance(24_999);
    expect(last().asked).toEqual(['stop']);
    await time.advance(1);
    await stopped;
    expect([lives.length, last().asked]).toEqual([1, ['stop', 'SIGKILL']]);
  });
});
