import { describe, expect, it } from 'vitest';
import type { KnownDerivativeQuery } from '../../../src/domain/derivatives.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import {
  answered,
  failureOf,
  infosys,
  instrument,
  lost,
  option,
  setUp,
  success,
} from './support.ts';
import { position, refused, none } from './positions-support.ts';

const contract = {
  ...position,
  security_id: '56998',
  symbol: 'NIFTY-Jul2025-25700-CE',
  segment: 'DERIVATIVE',
  product: 'MARGIN',
  exchange: '',
  isin: '',
  net_qty: 75,
  drv_instrument: 'OPTIDX',
  drv_expiry_date: '07/03/2025 14:00',
  drv_option_type: 'CE',
  drv_strike_price: 25700,
};
const dated = { ...option, expiry: '2025-07-03', strike: 25_700, optionType: 'CE' } as const;

/** One that has not expired on the day of the tests. */
const alive = { ...contract, drv_expiry_date: '07/01/2027 14:00' };
const DAY_MS = 86_400_000;

interface Answers {
  readonly margin: HttpReply;
  readonly intraday: HttpReply;
  readonly profile?: HttpReply;
  readonly book?: HttpReply;
}

/** An account without shares; the test decides what the broker says about derivatives. */
function withDerivatives(answers: Answers, instruments: readonly Instrument[] = [infosys, dated]) {
  return setUp({
    instruments,
    respond(_, url) {
      if (url.pathname === '/user/profile') return answers.profile ?? success({ user_id: '1' });
      if (url.pathname === '/order-book') return answers.book ?? success(null);
      if (url.searchParams.get('segment') === 'equity') return none;
      return url.searchParams.get('product') === 'margin' ? answers.margin : answers.intraday;
    },
  });
}

const onboarded = (nse: unknown, bse: unknown = nse): HttpReply =>
  success({ user_id: '1', is_nse_fno_onboarded: nse, is_bse_fno_onboarded: bse });

describe('positions in derivatives', () => {
  it('are named by their contract, although the row has no exchange', async () => {
    const setup = withDerivatives({ margin: success([contract]), intraday: none });
    expect(await setup.account.positions()).toMatchObject([
      { instrument: option.name, product: 'MARGIN', quantity: 75 },
    ]);
  });

  it('have the product of the query where their row names none that is known', async () => {
    const row = { ...contract, product: 'ECHO' };
    const setup = withDerivatives({ margin: none, intraday: success([row]) });
    expect(await setup.account.positions()).toMatchObject([{ product: 'INTRADAY' }]);
  });

  it('are not taken to be of the day where the row does not tell what was carried over', async () => {
    const untold: Record<string, unknown> = { ...contract };
    delete untold.cf_buy_qty;
    const setup = withDerivatives({ margin: success([untold]), intraday: none });
    expect(await setup.account.positions()).toMatchObject([{ day: { sellQuantity: 0 } }]);
  });

  it.each([
    ['another strike', { strike: 25_800 }],
    ['another expiry', { expiry: '2025-07-10' }],
    ['the other right', { optionType: 'PE' as const }],
  ])('are not taken for a contract of %s that has the same id', async (_, changes) => {
    const other = instrument({ ...dated, name: 'BFO:OTHER', exchange: 'BFO', ...changes });
    const both = withDerivatives({ margin: success([contract]), intraday: none }, [dated, other]);
    expect(await both.account.positions()).toMatchObject([{ instrument: option.name }]);
    const alone = withDerivatives({ margin: success([contract]), intraday: none }, [other]);
    expect(await alone.account.positions()).toMatchObject([
      { instrument: 'NIFTY-Jul2025-25700-CE' },
    ]);
  });

  it.each([
    ['one is refused', refused, none],
    ['the other is refused', none, refused],
    ['one is lost', lost, none],
    ['both get a server error', answered(503, {}), answered(503, {})],
    ['both get a page that is not the broker’s', answered(403, '<p>'), answered(403, '<p>')],
    [
      'the token is dead',
      answered(403, { error_type: 'TokenException', message: 'no' }),
      answered(403, { error_type: 'TokenException', message: 'no' }),
    ],
  ])('fail the read when %s', async (_, margin, intraday) => {
    const setup = withDerivatives({ margin, intraday, profile: onboarded(false) });
    await failureOf(setup.account.positions());
  });

  const notYours = answered(403, { status: 'error', error_type: 'UserException', message: 'F&O' });

  it.each([
    ['refuses the query', refused],
    ['forbids it', notYours],
  ])('are none where the broker %s and says that the account has none', async (_, no) => {
    const setup = withDerivatives({ margin: no, intraday: no, profile: onboarded(false) });
    expect(await setup.account.positions()).toEqual([]);
    expect(await setup.account.positions()).toEqual([]);
    // The gateway reads the profile now and then, not with every read of positions.
    expect(setup.transport.urls.filter((url) => url.pathname === '/user/profile')).toHaveLength(1);
  });

  it.each([[onboarded(true)], [onboarded(false, true)]])(
    'fail the read when they are refused to an account that may have them',
    async (profile) => {
      const setup = withDerivatives({ margin: refused, intraday: refused, profile });
      expect(await failureOf(setup.account.positions())).toMatchObject({ status: 400 });
    },
  );

  it('fail the read when nobody can say whether the account has them', async () => {
    const setup = withDerivatives({ margin: refused, intraday: refused, profile: lost });
    expect(await failureOf(setup.account.positions())).toMatchObject({ kind: 'transport' });
  });

  describe('where the profile does not say', () => {
    it('are none while the order book has none', async () => {
      const setup = withDerivatives({ margin: refused, intraday: refused });
      expect(await setup.account.positions()).toEqual([]);
    });

    it.each([
      ['has orders in derivatives', success([{ id: 'DRV-1', segment: 'DERIVATIVE' }])],
      ['cannot be read', lost],
    ])('fail the read when the order book %s', async (_, book) => {
      const setup = withDerivatives({ margin: refused, intraday: refused, book });
      await failureOf(setup.account.positions());
    });

    it('fail the read when they are forbidden', async () => {
      const setup = withDerivatives({ margin: notYours, intraday: notYours });
      expect(await failureOf(setup.account.positions())).toMatchObject({ status: 403 });
    });
  });

  it('fail the read where the journal knows one, whatever the profile says', async () => {
    const asked: KnownDerivativeQuery[] = [];
    const setup = setUp({
      knownDerivative: (query) => Promise.resolve(asked.push(query) > 0 ? option.name : null),
      respond: (_, url) => (url.searchParams.get('segment') === 'equity' ? none : refused),
    });
    expect(await failureOf(setup.account.positions())).toMatchObject({
      status: 400,
      message: expect.stringContaining(`may hold ${option.name}`) as string,
    });
    expect(asked).toEqual([{ since: null, inOlderForm: false }]);
  });

  it('are none again where the broker has listed none since they were there', async () => {
    const answers = { margin: success([alive]), intraday: none, profile: onboarded(false) };
    const setup = withDerivatives(answers);
    await setup.account.positions();
    Object.assign(answers, { margin: none });
    await setup.account.positions('caller');
    // The broker's limit lets no more calls through at once.
    await setup.time.advance(2_000);
    Object.assign(answers, { margin: refused, intraday: refused });
    expect(await setup.account.positions()).toEqual([]);
  });

  it.each([
    ['with the expiry of its row', contract],
    ['with the expiry of the list', { ...contract, drv_expiry_date: '' }],
  ])('are none once their contract has expired, %s', async (_, row) => {
    const expired = { ...row, drv_expiry_date: row.drv_expiry_date && '11/20/2026 14:00' };
    const listed = { ...dated, expiry: '2026-11-20' };
    const answers = { margin: success([expired]), intraday: none, profile: onboarded(false) };
    const setup = withDerivatives(answers, [infosys, listed]);
    await setup.account.positions();
    Object.assign(answers, { margin: refused, intraday: refused });
    await failureOf(setup.account.positions());
    await setup.time.advance(DAY_MS);
    expect(await setup.account.positions()).toEqual([]);
  });

  it('that were closed still count on their day, for its profit', async () => {
    const closed = { ...alive, net_qty: 0 };
    const answers = { margin: success([closed]), intraday: none, profile: onboarded(false) };
    const setup = withDerivatives(answers);
    await setup.account.positions();
    Object.assign(answers, { margin: refused, intraday: refused });
    await failureOf(setup.account.positions());
    await setup.time.advance(DAY_MS);
    expect(await setup.account.positions()).toEqual([]);
  });

  describe('beside the older form of positions, which has shares', () => {
    const olderShare = { ...position, product: 'CNC' };
    const inOlderForm = (older: readonly object[], answers: Answers) =>
      setUp({
        instruments: [infosys, { ...dated, expiry: '2027-07-01' }],
        respond(_, url) {
          const query = url.searchParams;
          if (url.pathname === '/user/profile') return answers.profile ?? success({ user_id: '1' });
          if (url.pathname === '/order-book') return answers.book ?? success(null);
          if (query.get('segment') === 'equity') return refused;
          if (query.get('segment') === null) return success(older);
          return query.get('product') === 'margin' ? answers.margin : answers.intraday;
        },
      });
    const one = { margin: success([alive]), intraday: none };
    const no = { margin: refused, intraday: refused };

    it('are asked for as well', async () => {
      const { account } = inOlderForm([olderShare], one);
      expect(await account.positions()).toMatchObject([
        { instrument: 'NSE:INFY', product: 'CNC' },
        { instrument: option.name, product: 'MARGIN', quantity: 75 },
      ]);
    });

    it.each([['MARGIN'], ['NRML'], [null]])(
      'count once where the older form has them as well, as %j',
      async (product) => {
        const { account } = inOlderForm([olderShare, { ...alive, product }], one);
        expect(await account.positions()).toHaveLength(2);
      },
    );

    it('are kept twice where the two differ, for nobody knows which is true', async () => {
      const { account } = inOlderForm([{ ...alive, net_qty: 150 }], one);
      expect(await account.positions()).toHaveLength(2);
    });

    it('do not take the place of a share with the same number', async () => {
      const share = { ...olderShare, security_id: contract.security_id, net_qty: 75 };
      const { account } = inOlderForm([share, { ...share, segment: null }], one);
      expect(await account.positions()).toHaveLength(3);
    });

    it('fail the read where they are refused to an account that may have them', async () => {
      const { account } = inOlderForm([], { ...no, profile: onboarded(true) });
      expect(await failureOf(account.positions())).toMatchObject({ status: 400 });
    });

    it.each([
      ['trades them', { profile: onboarded(true) }],
      ['has had orders in them today', { book: success([{ segment: 'DERIVATIVE' }]) }],
    ])(
      'are none where the broker takes no query at all, also of an account that %s',
      async (_, of) => {
        const { account } = inOlderForm([olderShare], { ...no, ...of });
        expect(await account.positions()).toMatchObject([{ instrument: 'NSE:INFY' }]);
      },
    );

    it('fail the read where the account is forbidden to list them, and may have them', async () => {
      const forbidden = { margin: notYours, intraday: notYours, profile: onboarded(true) };
      const { account } = inOlderForm([olderShare], forbidden);
      expect(await failureOf(account.positions())).toMatchObject({ status: 403 });
    });

    it('are none where they are refused to an account that has none', async () => {
      const { account } = inOlderForm([olderShare], { ...no, profile: onboarded(false) });
      expect(await account.positions()).toHaveLength(1);
    });

    it('may be in the older form alone, which then has all of them', async () => {
      const older = [alive];
      const { account, time } = inOlderForm(older, { ...no, profile: onboarded(true) });
      expect(await account.positions()).toMatchObject([{ instrument: option.name }]);
      older.pop();
      expect(await account.positions()).toEqual([]);
      expect(await time.settle(account.positions('caller'))).toEqual([]);
    });
  });

  it('never vanish behind a refusal once they were there', async () => {
    const answers = { margin: success([alive]), intraday: none, profile: onboarded(false) };
    const setup = withDerivatives(answers);
    await setup.account.positions();
    Object.assign(answers, { margin: refused, intraday: refused });
    expect(await failureOf(setup.account.positions())).toMatchObject({ status: 400 });
  });
});
