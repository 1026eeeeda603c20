import { describe, expect, it } from 'vitest';
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

const position = {
  position_id: '1',
  security_id: '1594',
  symbol: 'INFY',
  segment: 'EQUITY',
  product: 'ECHO',
  exchange: 'NSE',
  net_qty: -5,
  avg_price: 1146.85,
  buy_qty: 1,
  sell_qty: 6,
  realized_profit: -2.55,
  day_buy_qty: null,
  cf_buy_qty: null,
};

/** The account trades no derivatives, and the broker answers so. */
function withPositions(cnc: HttpReply, intraday: HttpReply, plain: HttpReply = lost) {
  return setUp({
    respond(_, url) {
      if (url.searchParams.get('segment') === 'derivative') return none;
      const product = url.searchParams.get('product');
      if (product === 'cnc') return cnc;
      return product === 'intraday' ? intraday : plain;
    },
  });
}

const refused = answered(400, { status: 'error', message: 'no' });
const none = success([]);

describe('positions', () => {
  it('are asked for by segment and product, and say the product that was asked for', async () => {
    const setup = withPositions(success([position]), success([position]));
    const positions = await setup.account.positions();
    expect(setup.transport.urls.map((url) => url.search)).toEqual([
      '?segment=equity&product=cnc',
      '?segment=equity&product=intraday',
      '?segment=derivative&product=margin',
      '?segment=derivative&product=intraday',
    ]);
    expect(positions.map(({ product }) => product)).toEqual(['CNC', 'INTRADAY']);
  });

  it('are mapped with their sign', async () => {
    const [mapped] = await withPositions(success([position]), none).account.positions();
    expect(mapped).toEqual({
      instrument: 'NSE:INFY',
      product: 'CNC',
      quantity: -5,
      averagePrice: 1146.85,
      lastPrice: null,
      realisedPnl: -2.55,
      unrealisedPnl: null,
      buyQuantity: 1,
      sellQuantity: 6,
      day: { buyQuantity: 0, buyValue: 0, sellQuantity: 0, sellValue: 0 },
      carried: { buyQuantity: 0, buyValue: 0, sellQuantity: 0, sellValue: 0 },
    });
  });

  it('tell what was traded today from what was carried over', async () => {
    const row = {
      ...position,
      day_sell_qty: 1,
      day_sell_val: '1,146.85',
      cf_sell_qty: 5,
      cf_sell_val: 5700,
    };
    const [mapped] = await withPositions(success([row]), none).account.positions();
    expect(mapped).toMatchObject({
      day: { buyQuantity: 0, buyValue: 0, sellQuantity: 1, sellValue: 1146.85 },
      carried: { buyQuantity: 0, buyValue: 0, sellQuantity: 5, sellValue: 5700 },
    });
  });

  it('count null as 0', async () => {
    const row = {
      ...position,
      net_qty: null,
      avg_price: null,
      buy_qty: null,
      realized_profit: null,
    };
    const [mapped] = await withPositions(success([row]), none).account.positions();
    expect(mapped).toMatchObject({ quantity: 0, averagePrice: 0, buyQuantity: 0, realisedPnl: 0 });
  });

  it.each([{ net_qty: undefined }, { net_qty: 'many' }, { buy_qty: {} }, { cf_buy_qty: 'some' }])(
    'fail rather than guess for %j',
    async (changes) => {
      const setup = withPositions(success([{ ...position, ...changes }]), none);
      expect(await failureOf(setup.account.positions())).toMatchObject({ kind: 'bad_payload' });
    },
  );

  it.each([
    [success({ net_positions: [position], day_positions: [] })],
    [success({ day_positions: [position] })],
    [answered(200, { net_positions: [position] })],
  ])('are taken out of the older wrapper', async (reply) => {
    expect(await withPositions(reply, none).account.positions()).toHaveLength(1);
  });

  it('read the older names of a wrapped row', async () => {
    const older = {
      trading_symbol: 'INFY',
      exchange_segment: 'NSE_EQ',
      net_quantity: 3,
      average_price: 10,
      last_traded_price: 11,
    };
    const reply = success({ net_positions: [older] });
    const [mapped] = await withPositions(reply, none).account.positions();
    expect(mapped).toMatchObject({
      instrument: 'NSE:INFY',
      quantity: 3,
      averagePrice: 10,
      lastPrice: 11,
    });
  });

  it.each([400, 404, 422])('are asked for without parameters when both get %s', async (status) => {
    const no = answered(status, {});
    const setup = withPositions(no, no, success([position]));
    expect(await setup.account.positions()).toMatchObject([{ product: 'ECHO' }]);
    expect(setup.transport.urls.map((url) => url.search)).toHaveLength(3);
    expect(setup.transport.urls[2]!.search).toBe('');
  });

  it('fail when the question without parameters fails too', async () => {
    const setup = withPositions(refused, refused, refused);
    expect(await failureOf(setup.account.positions())).toMatchObject({ status: 400 });
  });

  it.each([
    ['one is refused', refused, none],
    ['the other is refused', none, refused],
    ['one is lost', lost, none],
    ['one is refused and one is lost', refused, lost],
    ['both are not allowed', answered(403, {}), answered(403, {})],
    ['one says a failure inside 2xx', answered(200, { status: 'error', data: [] }), none],
    ['one has no data', answered(200, { status: 'success' }), none],
    ['one is an object', success({}), none],
    ['one wraps null', success({ net_positions: null }), none],
  ])('fail, without a further question, when %s', async (_, cnc, intraday) => {
    const setup = withPositions(cnc, intraday, success([]));
    await failureOf(setup.account.positions());
    expect(setup.transport.urls.every((url) => url.searchParams.has('product'))).toBe(true);
  });

  it('are whole again with the first read after an outage', async () => {
    const setup = withPositions(lost, lost);
    for (let count = 0; count < 5; count += 1) await failureOf(setup.account.positions());
    await setup.time.advance(10_000);
    setup.transport.respond = () => success([position]);
    expect(await setup.account.positions()).toHaveLength(4);
  });
});

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

interface Answers {
  readonly margin: HttpReply;
  readonly intraday: HttpReply;
  readonly profile?: HttpReply;
  readonly book?: HttpReply;
}

/** An account without shares: what it is told of derivatives is up to the test. */
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

  it('have the product of the question', async () => {
    const setup = withDerivatives({ margin: none, intraday: success([contract]) });
    expect(await setup.account.positions()).toMatchObject([{ product: 'INTRADAY' }]);
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
    ['refuses the question', refused],
    ['forbids it', notYours],
  ])('are none where the broker %s and says that the account has none', async (_, no) => {
    const setup = withDerivatives({ margin: no, intraday: no, profile: onboarded(false) });
    expect(await setup.account.positions()).toEqual([]);
    expect(await setup.account.positions()).toEqual([]);
    // The profile is asked once in a while, not with every read.
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

  it('never vanish behind a refusal once they were there', async () => {
    const answers = { margin: success([contract]), intraday: none, profile: onboarded(false) };
    const setup = withDerivatives(answers);
    await setup.account.positions();
    Object.assign(answers, { margin: refused, intraday: refused });
    expect(await failureOf(setup.account.positions())).toMatchObject({ status: 400 });
  });
});

const holding = {
  security_id: '1594',
  symbol: 'INFY',
  isin: 'INE009A01021',
  total_qty: 7,
  used_qty: 2,
  avg_price: 1400,
  t1_qty: 3,
};
const readHoldings = (row: Record<string, unknown>, instruments = [infosys]) =>
  setUp({ respond: () => success([row]), instruments }).account.holdings();

describe('holdings', () => {
  it('keep what is used apart from the quantity', async () => {
    expect(await readHoldings(holding)).toEqual([
      {
        instrument: 'NSE:INFY',
        isin: 'INE009A01021',
        quantity: 7,
        usedQuantity: 2,
        t1Quantity: 3,
        averagePrice: 1400,
        lastPrice: null,
      },
    ]);
  });

  it('read the older names', async () => {
    const older = { security_id: '1594', symbol: 'INFY', quantity: 4, average_price: 9 };
    expect(await readHoldings(older)).toMatchObject([{ quantity: 4, averagePrice: 9 }]);
  });

  it('do not take another share that has the same id', async () => {
    const other = instrument({ name: 'NSE:OTHER', tradingSymbol: 'OTHER', isin: 'INE1' });
    const own = instrument({ name: 'BSE:INFY', exchange: 'BSE' });
    expect(await readHoldings(holding, [other, own])).toMatchObject([{ instrument: 'BSE:INFY' }]);
  });

  it('name a share that no master knows by its symbol', async () => {
    expect(await readHoldings(holding, [])).toMatchObject([{ instrument: 'NSE:INFY' }]);
  });

  it('fail for a row without a quantity', async () => {
    const read = readHoldings({ ...holding, total_qty: undefined });
    expect(await failureOf(read)).toMatchObject({ kind: 'bad_payload' });
  });
});

describe('funds', () => {
  it('have the CNC buying power as what is available', async () => {
    const data = { pledge_received: 1, detailed_avl_balance: { eq_cnc: '2,980.4', eq_mis: 100 } };
    const { account } = setUp({ respond: () => success(data) });
    expect(await account.funds()).toMatchObject({
      available: 2980.4,
      byProduct: { CNC: 2980.4, INTRADAY: 100 },
    });
  });

  it.each([null, {}, { detailed_avl_balance: {} }, { detailed_avl_balance: { eq_cnc: null } }])(
    'fail rather than say 0 for %j',
    async (data) => {
      const { account } = setUp({ respond: () => success(data) });
      expect(await failureOf(account.funds())).toMatchObject({ kind: 'bad_payload' });
    },
  );
});

describe('the profile', () => {
  it('names the user', async () => {
    const data = { user_id: 12, email: 'a@b.test', first_name: 'Asha', last_name: 'Rao' };
    const { account } = setUp({ respond: () => success(data) });
    expect(await account.profile()).toEqual({ userId: '12', name: 'Asha Rao', email: 'a@b.test' });
  });
});
