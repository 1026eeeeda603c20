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

  it('have the product of the query', async () => {
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

  it('never vanish behind a refusal once they were there', async () => {
    const answers = { margin: success([contract]), intraday: none, profile: onboarded(false) };
    const setup = withDerivatives(answers);
    await setup.account.positions();
    Object.assign(answers, { margin: refused, intraday: refused });
    expect(await failureOf(setup.account.positions())).toMatchObject({ status: 400 });
  });
});
