import { describe, expect, it } from 'vitest';
import { termsOf } from '../../../src/execution/journal/quarantined-contents.ts';
import type { AllFound } from '../../../src/execution/journal/quarantined.ts';

type Rows = Parameters<typeof termsOf>[0];
type Columns = AllFound['orders']['unfit'][number]['columns'];

const order = (parts: Columns = {}): Columns => ({
  ...{ id: 'ord_1', caller: 'someone', broker: 'alt', day: '2026-11-06', parent_id: null },
  ...{ idempotency_key: 'key', record: '{}' },
  ...parts,
});
const unfit = (columns: Columns) => ({ columns, reason: 'state: not what it has to be' });
const NOTHING = { rows: [], unfit: [] };

/** What is known of `ord_1`, whose row does not fit. */
function knownOf(own: Columns, others: Partial<Rows> = {}) {
  const orders = { rows: [], unfit: [unfit(own), ...(others.orders?.unfit ?? [])] };
  const rows = { attempts: NOTHING, exits: NOTHING, ...others, orders };
  return termsOf(rows, new Set(['ord_1'])).find(({ id }) => id === 'ord_1');
}

const placing = (fingerprint: unknown, kind = 'place') => ({
  ...NOTHING,
  unfit: [unfit({ order_id: 'ord_1', kind, record: JSON.stringify({ fingerprint }) })],
});
const PRINT = 'alt|NSE:INFY|BUY|INTRADAY|LIMIT|DAY|10|1500|';
const INFY = { instrument: 'NSE:INFY', product: 'INTRADAY', side: 'BUY' };
const NOT_KNOWN = { instrument: null, product: null, side: null };

describe('a quarantined order of whose row nothing is left', () => {
  it('is told by its placing, but for the quantity, which a change may have made larger', () => {
    expect(knownOf(order(), { attempts: placing(PRINT) })).toMatchObject({
      ...INFY,
      quantity: null,
    });
  });

  it('is told by the exit that it is a leg of', () => {
    const leg = order({ idempotency_key: 'exit_7#2' });
    const exits = { ...NOTHING, unfit: [unfit({ id: 'exit_7', record: JSON.stringify(INFY) })] };
    expect(knownOf(leg, { exits })).toMatchObject(INFY);
    expect(knownOf(order({ idempotency_key: 'exit_7' }), { exits })).toMatchObject(NOT_KNOWN);
  });

  it('is told by the order that it is a slice of', () => {
    const parent = order({ id: 'ord_0', record: JSON.stringify({ terms: INFY }) });
    const orders = { rows: [], unfit: [unfit(parent)] };
    expect(knownOf(order({ parent_id: 'ord_0' }), { orders })).toMatchObject(INFY);
  });

  it('is what its own row says, where that says something', () => {
    const own = order({ record: JSON.stringify({ terms: { instrument: 'NSE:TCS' } }) });
    const known = { ...INFY, instrument: 'NSE:TCS' };
    expect(knownOf(own, { attempts: placing(PRINT) })).toMatchObject(known);
  });

  it.each([
    ['another form', placing('alt|NSE:INFY|BUY')],
    ['values that are none', placing('alt|<b>|HOLD|LATER|LIMIT|DAY|10|1500|')],
    ['no text', placing(7)],
    ['that of a change', placing(PRINT, 'modify')],
  ])('is not told by a fingerprint of %s', (_what, attempts) => {
    expect(knownOf(order(), { attempts })).toMatchObject(NOT_KNOWN);
  });
});
