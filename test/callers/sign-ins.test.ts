import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/callers/caller.ts';
import { createSignIns, LINK_MS, SIGN_IN_MS } from '../../src/callers/sign-ins.ts';
import { createIds } from '../../src/platform/ids.ts';
import { createLog, createPino } from '../../src/platform/log.ts';
import { sha256 } from '../../src/platform/secret.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const PATH = 'data/sign-ins.json';
const ADMIN: Caller = { id: 'admin', name: 'admin', scope: 'admin', broker: null, mode: null };

/** Sign-ins on a disk that outlives the gateway, with one key. */
function bench() {
  const clock = new VirtualTime('2026-11-23T09:00:00+05:30');
  const files = memoryFiles();
  const lines: string[] = [];
  const state = { key: 'first' as string | null, ended: 0 };
  let made = 0;
  const start = () =>
    createSignIns({
      ...{ clock, files, path: PATH },
      ids: createIds((count) => new Uint8Array(count).fill((made += 1))),
      log: createLog(createPino('debug', { write: (line) => void lines.push(line) })),
      callers: {
        current: (id) =>
          state.key === null || id !== ADMIN.id
            ? null
            : { caller: ADMIN, sha256: sha256(state.key) },
      },
      ended: () => (state.ended += 1),
    });
  const signIn = (signIns = start()) => {
    const made = signIns.redeem(signIns.issueLink(ADMIN).token.reveal()) ?? expect.fail();
    return { signIns, token: made.token.reveal(), cookie: made.cookie.reveal() };
  };
  return { clock, files, lines, state, start, signIn };
}

describe('a link', () => {
  it('signs one browser in, and the next no more', () => {
    const signIns = bench().start();
    const link = signIns.issueLink(ADMIN).token.reveal();
    expect(signIns.redeem(link)?.caller).toEqual(ADMIN);
    expect(signIns.redeem(link)).toBeNull();
    expect(signIns.redeem('abl_none')).toBeNull();
  });

  it('works for ten minutes, whatever becomes of the wall clock', async () => {
    const { clock, start } = bench();
    const signIns = start();
    const [early, late] = [signIns.issueLink(ADMIN).token, signIns.issueLink(ADMIN).token];
    await clock.advance(LINK_MS - 1);
    expect(signIns.redeem(early.reveal())).not.toBeNull();
    await clock.advance(1);
    expect(signIns.redeem(late.reveal())).toBeNull();
  });

  it('of a key that was revoked or rotated since does not work', () => {
    for (const key of [null, 'second']) {
      const { state, start } = bench();
      const signIns = start();
      const link = signIns.issueLink(ADMIN).token.reveal();
      state.key = key;
      expect(signIns.redeem(link)).toBeNull();
    }
  });

  it('is one of the latest 32', () => {
    const signIns = bench().start();
    const links = Array.from({ length: 33 }, () => signIns.issueLink(ADMIN).token.reveal());
    expect(links.map((link) => signIns.redeem(link) !== null).indexOf(true)).toBe(1);
  });
});

describe('a sign-in', () => {
  it('needs both of its secrets', () => {
    const { signIns, token, cookie } = bench().signIn();
    const other = bench().signIn(signIns);
    expect(signIns.find(token, cookie)?.caller).toEqual(ADMIN);
    expect(signIns.find(token, null)).toBeNull();
    expect(signIns.find(token, other.cookie)).toBeNull();
    expect(signIns.find(other.token, cookie)).toBeNull();
    expect(signIns.find(cookie, token)).toBeNull();
  });

  it('lasts a week, over restarts', async () => {
    const { clock, start, signIn } = bench();
    const { token, cookie } = signIn();
    await clock.advance(SIGN_IN_MS - 1);
    expect(start().find(token, cookie)?.caller).toEqual(ADMIN);
    await clock.advance(1);
    expect(start().find(token, cookie)).toBeNull();
  });

  it('ends when the person signs out, also after a restart, and others stay', () => {
    const { state, start, signIn } = bench();
    const { signIns, token, cookie } = signIn();
    const other = signIn(signIns);
    signIns.end(token);
    expect(state.ended).toBe(1);
    for (const now of [signIns, start()]) {
      expect(now.find(token, cookie)).toBeNull();
      expect(now.find(other.token, other.cookie)).not.toBeNull();
    }
  });

  it('ends with its key', () => {
    for (const key of [null, 'second']) {
      const { state, signIn } = bench();
      const { signIns, token, cookie } = signIn();
      state.key = key;
      expect(signIns.find(token, cookie)).toBeNull();
    }
  });

  it('is one of the latest 32', () => {
    const { signIn } = bench();
    const first = signIn();
    for (let more = 0; more < 31; more += 1) signIn(first.signIns);
    expect(first.signIns.find(first.token, first.cookie)).not.toBeNull();
    signIn(first.signIns);
    expect(first.signIns.find(first.token, first.cookie)).toBeNull();
  });

  it('is on the disk as hashes, and in no log', () => {
    const { files, lines, signIn } = bench();
    const { token, cookie } = signIn();
    const kept = `${files.read(PATH) ?? expect.fail()} ${lines.join()}`;
    expect(kept).toContain(sha256(token));
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(cookie);
  });

  it('is forgotten where the file cannot be read, and can be made again', () => {
    const { files, lines, start, signIn } = bench();
    const { token, cookie } = signIn();
    files.replacePrivate(PATH, '{"version":1,"signIns":[{"token":"x"}]}');
    const signIns = start();
    expect(signIns.find(token, cookie)).toBeNull();
    expect(lines.join()).toContain('cannot be read');
    expect(signIn(signIns).token).not.toBe(token);
  });
});
