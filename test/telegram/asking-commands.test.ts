import { describe, expect, it } from 'vitest';
import { CLOSING, EXIT, META } from '../routes/support/samples.ts';
import { AWAY } from '../support/fake-messenger.ts';
import { commandsBench } from './commands-bench.ts';
import { ALT, chatWith, PAPER, unreadable } from './asking-chat.ts';

const INFY = { instrument: 'NSE:INFY', product: 'INTRADAY', quantity: 100 };
const SHORT = { instrument: 'NFO:NIFTY26NOV24450CE', product: 'MARGIN', quantity: -65 };

describe('/exit', () => {
  it('says what it will do, and does it once, after one confirmation', async () => {
    const { ask, asked } = await chatWith({ [ALT]: [INFY], [PAPER]: [] });
    expect(await ask('/exit infy', 10)).toBe(
      [
        'Exit at alt: SELL 100 NSE:INFY INTRADAY, all that is held.',
        'Price: LIMIT near the last price; MARKET where the broker refuses it, further away with each attempt.',
        "The gateway's own orders that rest for the position, such as its stop, are cancelled first.",
        'To confirm, send within a minute:',
        '/exit confirm',
      ].join('\n'),
    );
    expect(asked('startExit')).toEqual([]);
    expect(await ask('/exit confirm', 200)).toBe(
      `Exit ${EXIT.id} of NSE:INFY (CNC) at alt has begun. A message follows when it is over. To end it: ` +
        `DELETE /api/v1/exits/${EXIT.id}`,
    );
    expect(await ask('/exit confirm', 201)).toMatch(/^Nothing was done/);
    const of = { kind: 'position', instrument: 'NSE:INFY', product: 'INTRADAY', broker: 'alt' };
    const context = { caller: 'telegram', idempotencyKey: 'telegram 2026-11-06 200' };
    expect(asked('startExit')).toEqual([['startExit', { ...of, quantity: null }, context]]);
  });

  it('takes a product, a quantity and an account, in any order', async () => {
    const { ask, asked } = await chatWith({ [ALT]: [INFY, SHORT], [PAPER]: [INFY] });
    expect(await ask('/exit NSE:INFY 10 paper INTRADAY')).toMatch(
      /^Exit at paper \(paper\): SELL 10 NSE:INFY INTRADAY, of 100 held\./,
    );
    await ask('/exit confirm');
    expect(asked('startExit')[0]?.[1]).toMatchObject({ quantity: 10, broker: 'paper' });
    expect(await ask('/exit NIFTY26NOV24450CE')).toMatch(/^Exit at alt: BUY 65 NFO:NIFTY26NOV/);
  });

  it('lists the choices where an instrument is held under two products or at two brokers', async () => {
    const held = { [ALT]: [INFY, { ...INFY, product: 'CNC', quantity: 7 }], [PAPER]: [INFY] };
    const { ask, asked } = await chatWith(held);
    expect(await ask('/exit INFY 5')).toBe(
      [
        'Which one? Send one of these:',
        '/exit NSE:INFY INTRADAY 5 alt (100 held)',
        '/exit NSE:INFY CNC 5 alt (7 held)',
        '/exit NSE:INFY INTRADAY 5 paper (100 held)',
      ].join('\n'),
    );
    expect(await ask('/exit confirm')).toMatch(/^Nothing was done/);
    expect(asked('startExit')).toEqual([]);
  });

  it('says that nothing is held only where every account was read', async () => {
    const { ask } = await chatWith({ [ALT]: unreadable(), [PAPER]: [] });
    const answer = await ask('/exit INFY');
    expect(answer).toContain('What is held at alt could not be read: HTTP 500.');
    expect(answer).toContain('does not mean that there is none');
    expect(answer).toContain('/exit EXCHANGE:INFY PRODUCT alt');
    expect(await ask('/exit INFY CNC paper')).toBe('No INFY (CNC) is held at paper (paper).');
  });

  it('asks all the same for an account that cannot be read, where all is named', async () => {
    const { ask, asked } = await chatWith({ [ALT]: unreadable(), [PAPER]: [] });
    expect(await ask('/exit NSE:INFY INTRADAY alt')).toMatch(
      /^Exit at alt: all of NSE:INFY INTRADAY\.\nWhat is held at alt could not be read[^]*reads the account again/,
    );
    await ask('/exit confirm');
    expect(asked('startExit')).toHaveLength(1);
  });

  it('counts delivery shares in the holdings, less those sold today', async () => {
    const { ask, gateway } = await chatWith({
      [ALT]: [{ ...INFY, product: 'CNC', quantity: -50 }],
    });
    const { data } = await commandsBench().gateway.gateway.getHoldings();
    gateway.set({
      getHoldings: async () => ({
        data: data.map((row) => ({ ...row, quantity: 200 })),
        meta: META,
      }),
    });
    expect(await ask('/exit INFY')).toMatch(/^Exit at alt: SELL 150 NSE:INFY CNC, all/);
  });

  it('tells of another account that could not be read', async () => {
    const { ask } = await chatWith({ [ALT]: [INFY], primary: unreadable('no login') });
    expect(await ask('/exit INFY')).toContain(
      'What is held at primary could not be read: no login',
    );
  });

  it.each([
    ['/exit', /^Send \/exit INFY/],
    ['/exit INFY sell', /^Not understood: sell\. After the instrument come a product/],
    ['/exit INFY 10 20', /^Not understood: 20/],
    ['/exit INFY 0', /^Not understood: 0/],
    ['/exit INFY 101', /^Only 100 of NSE:INFY \(INTRADAY\) are held at alt/],
  ])('%s is answered, and asks nothing', async (text, answer) => {
    const { ask, asked } = await chatWith({ [ALT]: [INFY] });
    expect(await ask(text)).toMatch(answer);
    await ask('/exit confirm');
    expect(asked('startExit')).toEqual([]);
  });

  it('does not exit what no order of the gateway can', async () => {
    const { ask } = await chatWith({ [ALT]: [{ ...INFY, product: 'MTF' }] });
    expect(await ask('/exit INFY')).toMatch(/^100 NSE:INFY are held at alt as MTF.*broker's app/);
  });

  it('reports a refusal, and an unexpected error as not known', async () => {
    const { ask, gateway } = await chatWith({ [ALT]: [INFY] });
    await ask('/exit INFY');
    gateway.set({ startExit: () => Promise.reject(unreadable('exit exit_1 is under way')) });
    expect(await ask('/exit confirm')).toBe('Nothing was begun: exit exit_1 is under way');
    await ask('/exit INFY');
    gateway.set({ startExit: () => Promise.reject(new TypeError('inner detail')) });
    expect(await ask('/exit confirm')).toMatch(/^It is not known whether anything was begun/);
  });
});

describe('a confirmation', () => {
  it.each(['/exit INFY', '/closeall', '/cancelall'])(
    'of %s counts for a minute, after the question, once, and not for an older question',
    async (text) => {
      const [name] = text.split(' ');
      const { ask, time, asked, messenger } = await chatWith({ [ALT]: [INFY] });
      const done = () => ['startExit', 'closeAll', 'cancelAll'].flatMap(asked).length;
      await ask(`${name} confirm`);
      await ask(text, 110);
      // Sent before the question had arrived: its id is lower.
      await ask(`${name} confirm`, 105);
      expect(done()).toBe(0);
      await ask(text);
      await time.advance(60_001);
      await ask(`${name} confirm`);
      expect(done()).toBe(0);
      messenger.script.push(AWAY);
      await ask(text);
      await ask(`${name} confirm`);
      expect(done()).toBe(0);
      await ask(text);
      await ask(`${name} something else`);
      await ask(`${name} confirm`);
      expect(done()).toBe(0);
      await ask(text, 300);
      await ask(`${name} confirm`, 400);
      await ask(`${name} confirm`, 400);
      expect(done()).toBe(1);
    },
  );
});

describe('/closeall', () => {
  it('says how many positions it covers at each broker, and closes those of the accounts', async () => {
    const held = [INFY, SHORT, { ...INFY, product: 'CNC' }];
    const { ask, asked } = await chatWith({ [ALT]: held, [PAPER]: [] });
    const question = await ask('/closeall');
    expect(question).toMatch(
      /^Close all positions\?\nalt: 2 \(1 long, 1 short\)\npaper \(paper\): none\n/,
    );
    expect(await ask('/closeall confirm', 300)).toMatch(
      new RegExp(`^Closing ${CLOSING.id} of 1 positions has begun`),
    );
    const request = { broker: null, product: null, instrument: null, side: null, holdings: [] };
    expect(asked('closeAll')).toEqual([
      [
        'closeAll',
        { ...request, includeUndelivered: false, scope: 'account' },
        { caller: 'telegram', idempotencyKey: 'telegram 2026-11-06 300' },
      ],
    ]);
  });

  it('of an account and a product is about these alone', async () => {
    const { ask, asked } = await chatWith({ [ALT]: [INFY, SHORT], [PAPER]: [INFY] });
    expect(await ask('/closeall alt intraday')).toMatch(
      /^Close all INTRADAY positions\?\nalt: 1 \(1 long, 0 short\)\nOf each/,
    );
    await ask('/closeall confirm');
    expect(asked('closeAll')[0]?.[1]).toMatchObject({ broker: 'alt', product: 'INTRADAY' });
    expect(await ask('/closeall CNC')).toMatch(/^Not understood: cnc/);
  });

  it('asks nothing where an account cannot be read, and never says that there is nothing', async () => {
    const { ask } = await chatWith({ [ALT]: unreadable(), [PAPER]: [] });
    const answer = await ask('/closeall');
    expect(answer).toMatch(/^What is held at alt could not be read: HTTP 500\. That does not mean/);
    expect(answer).toContain('/closeall paper');
    expect(await ask('/closeall confirm')).toMatch(/^Nothing was done/);
    expect(await ask('/closeall paper')).toMatch(/^No open positions at paper \(paper\)\./);
  });
});
