import { describe, expect, it } from 'vitest';
import { type Rehearsal, rehearse } from './support/rehearsal.ts';

const POSITIONS = { method: 'GET', path: '/portfolio/positions' } as const;
const question = (segment: string, product: string): string =>
  `/portfolio/positions?segment=${segment}&product=${product}`;

/** Shares of the day, delivery shares and an option, bought in the broker's own app. */
function holdingAll(): Rehearsal {
  const rehearsal = rehearse();
  const { sandbox, clock } = rehearsal;
  for (const broker of ['kite', 'primary'] as const) {
    const buy = { side: 'BUY', quantity: 65 } as const;
    sandbox[broker].placeByHand({ ...buy, instrument: 'NSE:ITC', product: 'intraday' });
    sandbox[broker].placeByHand({ ...buy, instrument: 'NSE:ITC', product: 'delivery' });
    const option = sandbox.exchange.instruments().find(({ kind }) => kind === 'option');
    sandbox[broker].placeByHand({ ...buy, instrument: option?.key ?? '', product: 'carry' });
  }
  clock.advance(2_000);
  return rehearsal;
}

interface Row {
  readonly product: string;
  readonly net_qty: number;
}

describe('positions in their older form', () => {
  it('are the answer to each question where questions are ignored', () => {
    const { sandbox, primary } = holdingAll();
    sandbox.faults.add({ broker: 'primary', kind: 'older_positions', match: POSITIONS });
    const { data } = primary('GET', question('equity', 'cnc')).json;
    const rows: Row[] = data.net_positions;
    const told = rows.map(({ product, net_qty }) => `${product} ${net_qty}`);
    expect(told.toSorted()).toEqual(['CNC 65', 'INTRADAY 65', 'MARGIN 65']);
  });

  it('are the answer without a question alone, and questions about shares are refused', () => {
    const { sandbox, primary } = holdingAll();
    sandbox.faults.add({
      ...{ broker: 'primary', kind: 'older_positions', match: POSITIONS },
      params: { form: 'alone' },
    });
    expect(primary('GET', question('equity', 'cnc')).status).toBe(400);
    expect(primary('GET', question('derivative', 'margin')).json.data).toHaveLength(1);
    expect(primary('GET', '/portfolio/positions').json.data.net_positions).toHaveLength(3);
  });
});

it('a fault that names a query strikes that question alone', () => {
  const { sandbox, primary } = holdingAll();
  sandbox.faults.add({
    ...{ broker: 'primary', kind: 'error_before' },
    match: { ...POSITIONS, query: 'segment=equity&product=cnc' },
  });
  const statusOf = (segment: string, product: string): number =>
    primary('GET', question(segment, product)).status;
  expect([statusOf('equity', 'cnc'), statusOf('equity', 'intraday')]).toEqual([502, 200]);
  expect(statusOf('derivative', 'intraday')).toBe(200);
});

describe.each([
  ['kite', 'average_price', 'quantity', 'buy_quantity'],
  ['primary', 'avg_price', 'net_qty', 'buy_qty'],
] as const)('a price that is a text at %s', (broker, price, quantity, bought) => {
  it('leaves the quantity and the sums of the row as they are', () => {
    const rehearsal = holdingAll();
    rehearsal.sandbox.faults.add({
      ...{ broker, kind: 'bad_position', match: POSITIONS },
      params: { form: 3, price: 0 },
    });
    const { data } =
      broker === 'kite'
        ? rehearsal.kite('GET', '/portfolio/positions').json
        : rehearsal.primary('GET', question('equity', 'intraday')).json;
    const [row] = broker === 'kite' ? data.net : data;
    expect([row[price], row[quantity], row[bought]]).toEqual(['n.a.', 65, 65]);
  });
});

it('a parted book has its bids and offers far from the last price', () => {
  const { sandbox } = rehearse();
  const { exchange } = sandbox;
  const last = exchange.price('NSE:ITC');
  exchange.partBook('NSE:ITC', 0.05);
  const { bids, asks } = exchange.depth('NSE:ITC');
  expect(bids[0]?.price).toBeLessThan(last * 0.951);
  expect(asks[0]?.price).toBeGreaterThan(last * 1.049);
  exchange.partBook('NSE:ITC', null);
  expect(exchange.depth('NSE:ITC').bids[0]?.price).toBeGreaterThan(last * 0.99);
});
