import { describe, expect, it } from 'vitest';
import { NAME, MORNING, NEXT_SIX, token, machine } from './support/machine.ts';
import { epochMs } from '../../src/units/branded.ts';

describe('the levels', () => {
  it('have no token when no level has one', () => {
    expect(machine().start().read()).toBeNull();
  });

  it('prefer memory to all others', () => {
    const { read, store } = machine({ environment: 'env', configuration: 'conf' }).start();
    store.save(token('mine'));
    expect(read()).toMatchObject({ accessToken: 'mine', source: 'memory', userId: 'AB1234' });
  });

  it('prefer the file to environment and configuration', () => {
    const host = machine({ environment: 'env', configuration: 'conf' });
    host.start().store.save(token('mine'));
    expect(host.start().read()).toEqual({ ...token('mine'), source: 'file' });
  });

  it('prefer the environment to the configuration', () => {
    const { read } = machine({ environment: 'env', configuration: 'conf' }).start();
    expect(read()).toEqual({
      accessToken: 'env',
      userId: null,
      obtainedAt: null,
      expiresAt: NEXT_SIX,
      source: 'environment',
    });
  });

  it('end with the configuration', () => {
    const { read } = machine({ configuration: ' conf ' }).start();
    expect(read()).toMatchObject({ accessToken: 'conf', source: 'configuration' });
  });

  it('read a blank setting as none', () => {
    expect(machine({ environment: '  ', configuration: '' }).start().read()).toBeNull();
  });

  it('skip a level whose token has expired', () => {
    const host = machine({ environment: 'env' });
    host.start().store.save(token('mine', { expiresAt: epochMs(MORNING - 1) }));
    expect(host.start().read()).toMatchObject({ accessToken: 'env', source: 'environment' });
  });
});

describe('expiry', () => {
  it('comes at 06:00 IST, to the millisecond', async () => {
    const { time, start } = machine({ environment: 'env' });
    const { read, store } = start();
    store.save(token('mine'));
    await time.advanceTo(NEXT_SIX - 1);
    expect(read()?.accessToken).toBe('mine');
    await time.advance(1);
    expect(read()).toBeNull();
    expect(store.lapsed(time.now())).toEqual({ userId: 'AB1234', expiredAt: NEXT_SIX });
  });

  it('of a token set by hand counts from the start, not from each read', async () => {
    const { time, start } = machine({ configuration: 'conf' });
    const { read } = start();
    await time.advanceTo(NEXT_SIX);
    expect(read()).toBeNull();
  });

  it('is not extended when the same token is set again by hand', async () => {
    const host = machine({ environment: 'mine' });
    host.start().store.save(token('mine'));
    await host.time.advanceTo(NEXT_SIX + 1);
    expect(host.start().read()).toBeNull();
  });

  it('is known after a restart', async () => {
    const host = machine();
    host.start().store.save(token('mine'));
    await host.time.advanceTo(NEXT_SIX + 60_000);
    const { store } = host.start();
    expect(store.lapsed(host.time.now())).toEqual({ userId: 'AB1234', expiredAt: NEXT_SIX });
  });

  it('is unknown where there never was a token', () => {
    const { time, start } = machine();
    expect(start().store.lapsed(time.now())).toBeNull();
  });
});

describe('save', () => {
  it('writes the environment too', () => {
    const { store, environment } = machine().start();
    store.save(token('mine'));
    expect(environment.get(NAME)).toBe('mine');
  });

  it('keeps the login on a full disk, and reports it', () => {
    const { files, errors, start } = machine();
    const { store, environment, read } = start();
    files.full = true;
    expect(store.save(token('mine'))).toMatchObject({ persisted: false });
    expect(read()).toMatchObject({ accessToken: 'mine', source: 'memory' });
    expect(environment.get(NAME)).toBe('mine');
    expect(errors).toHaveLength(1);
  });

  it('keeps the old file whole when it cannot write a new one', () => {
    const host = machine();
    const { store } = host.start();
    store.save(token('old'));
    host.files.full = true;
    store.save(token('new'));
    expect(host.start().read()).toMatchObject({ accessToken: 'old' });
  });

  it('does not report a failed write as written', () => {
    const host = machine();
    const { store, read } = host.start();
    store.save(token('old'));
    host.files.full = true;
    store.save(token('new'));
    store.markDead('new');
    expect(read()).toMatchObject({ accessToken: 'old', source: 'file' });
  });

  it('uses a dead token again when the broker issues it again', () => {
    const { store, read } = machine().start();
    store.markDead('mine');
    store.save(token('mine'));
    expect(read()?.accessToken).toBe('mine');
  });
});
