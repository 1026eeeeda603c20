import { describe, expect, it } from 'vitest';
import { NAME, PATH, MORNING, NEXT_SIX, token, machine } from './support/machine.ts';
import { epochMs } from '../../src/units/branded.ts';

describe('a token that was asked for before', () => {
  it('is replaced once the environment has another', () => {
    const { read, environment } = machine({ environment: 'env' }).start();
    expect(read()).toMatchObject({ accessToken: 'env' });
    environment.set(NAME, 'other');
    expect(read()).toMatchObject({ accessToken: 'other' });
    environment.remove(NAME);
    expect(read()).toBeNull();
  });

  it('is absent once it is dead, also when it stays set', () => {
    const { read, store } = machine({ configuration: 'conf' }).start();
    expect(read()).toMatchObject({ accessToken: 'conf' });
    store.markDead('conf');
    expect(read()).toBeNull();
  });

  it('is replaced by a later login, and absent after a logout', () => {
    const { read, store } = machine({ configuration: 'conf' }).start();
    expect(read()).toMatchObject({ accessToken: 'conf' });
    store.save(token('mine'));
    expect(read()).toMatchObject({ accessToken: 'mine' });
    store.forget();
    expect(read()).toBeNull();
  });

  it('is absent once it has expired', () => {
    const { read, store } = machine().start();
    store.save(token('mine', { expiresAt: NEXT_SIX }));
    expect(read()).toMatchObject({ accessToken: 'mine' });
    expect(store.read(NEXT_SIX)).toBeNull();
  });
});

describe('markDead', () => {
  it('ends the token at every level at once', () => {
    const { store, read, environment } = machine({ configuration: 'mine' }).start();
    store.save(token('mine'));
    store.markDead('mine');
    expect(read()).toBeNull();
    expect(environment.get(NAME)).toBeUndefined();
  });

  it.each(['environment', 'configuration'] as const)(
    'applies after a restart to a token of the %s',
    (level) => {
      const host = machine({ [level]: 'mine' });
      host.start().store.markDead('mine');
      expect(host.start().read()).toBeNull();
    },
  );

  it('leaves another token of a lower level in use', () => {
    const { store, read } = machine({ configuration: 'other' }).start();
    store.save(token('mine'));
    store.markDead('mine');
    expect(read()).toMatchObject({ accessToken: 'other', source: 'configuration' });
  });

  it('remembers whose session ended and when, also after a restart', async () => {
    const host = machine();
    const { store } = host.start();
    store.save(token('mine'));
    await host.time.advance(5_000);
    store.markDead('mine');
    const lapsed = { userId: 'AB1234', expiredAt: MORNING + 5_000 };
    expect(store.lapsed(host.time.now())).toEqual(lapsed);
    expect(host.start().store.lapsed(host.time.now())).toEqual(lapsed);
  });

  it('keeps no dead token in the file, only its hash', () => {
    const { files, start } = machine();
    const { store } = start();
    store.save(token('mine-secret'));
    store.markDead('mine-secret');
    expect(files.contents.get(PATH)).not.toContain('mine-secret');
  });

  it('applies in this process when the file cannot be written', () => {
    const { files, start } = machine({ configuration: 'mine' });
    const { store, read } = start();
    files.full = true;
    expect(store.markDead('mine')).toMatchObject({ persisted: false });
    expect(read()).toBeNull();
  });

  it('remembers the last fifty', () => {
    const host = machine();
    const { store } = host.start();
    for (let count = 0; count < 51; count += 1) store.markDead(`token${count}`);
    expect(host.start({ configuration: 'token0' }).read()).not.toBeNull();
    expect(host.start({ configuration: 'token1' }).read()).toBeNull();
    expect(host.start({ configuration: 'token50' }).read()).toBeNull();
  });
});

describe('forget', () => {
  it('empties every level, also after a restart with the same settings', () => {
    const host = machine({ environment: 'env', configuration: 'conf' });
    const { store, read, environment } = host.start();
    store.save(token('mine'));
    store.forget();
    expect(read()).toBeNull();
    expect(environment.get(NAME)).toBeUndefined();
    expect(host.start().read()).toBeNull();
  });

  it('leaves no record of the session', () => {
    const { store } = machine().start();
    store.save(token('mine'));
    store.forget();
    expect(store.lapsed(epochMs(NEXT_SIX + 1))).toBeNull();
  });
});
