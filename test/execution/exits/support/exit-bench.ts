import type { Instrument } from '../../../../src/domain/instrument.ts';
import type { Outcome } from '../../../../src/domain/outcome.ts';
import type { PlaceAttempt } from '../../../../src/domain/order.ts';
import type { Quote } from '../../../../src/domain/quote.ts';
import { openDatabase } from '../../../../src/platform/database.ts';
import type { ExitCommand, ExitSettings } from '../../../../src/execution/exits/exit-parts.ts';
import type { VirtualTime } from '../../../support/virtual-time.ts';
import { listed, lyingBroker, midday, rowAt, tradingWith } from '../../support/lying-broker.ts';
import { instrument, position } from '../../support/makers.ts';

/** What becomes of a leg at the broker. */
export type LegFate =
  /** So much fills at once; the rest works on. */
  | { readonly kind: 'fills'; readonly quantity?: number }
  | Exclude<Outcome, { kind: 'acknowledged' }>
  /** Taken, and thrown out by the exchange: its row says why. */
  | { readonly kind: 'row rejected'; readonly reason: string };

export const refusedAs = (
  rejection: Extract<Outcome, { kind: 'refused' }>['rejection'],
): LegFate => ({
  ...{ kind: 'refused', rejection },
  reason: `refused: ${rejection}`,
});

export const quoteAt = (lastPrice: number, parts: Partial<Quote> = {}): Quote => ({
  instrument: 'NSE:INFY',
  lastPrice,
  ...{ open: null, high: null, low: null, previousClose: null, change: null, changePercent: null },
  ...{ volume: null, bid: null, ask: null, depth: null, upperCircuit: null, lowerCircuit: null },
  at: null,
  ...parts,
});

export interface ExitBenchOptions {
  readonly held?: number;
  readonly of?: Instrument;
  readonly time?: VirtualTime;
  readonly settings?: Partial<ExitSettings>;
}

/** A broker that does what its script says of each leg, and fills everything once it has run out. */
export async function exitBench(options: ExitBenchOptions = {}) {
  const { held = 100, of = instrument(), time = midday(), settings = {} } = options;
  const broker = lyingBroker(time);
  const database = openDatabase(':memory:');
  const fates: LegFate[] = [];
  const bench = { quote: quoteAt(1_500) as Quote | null, showsFills: true };
  let ids = 0;
  setHeld(held);

  function setHeld(quantity: number): void {
    const sold = Math.max(0, held - quantity);
    const day = { buyQuantity: 0, buyValue: 0, sellQuantity: sold, sellValue: 0 };
    const row = { instrument: of.name, quantity, product: 'INTRADAY', sellQuantity: sold, day };
    broker.positions = [position(row)];
  }

  function fill(brokerOrderId: string, quantity: number): void {
    broker.rows = broker.rows.map((row) => {
      if (row.brokerOrderId !== brokerOrderId) return row;
      const filledQuantity = (row.filledQuantity ?? 0) + quantity;
      const isFull = filledQuantity >= row.quantity;
      return {
        ...row,
        filledQuantity,
        averagePrice: 1_500,
        ...(isFull ? ({ status: 'filled', rawStatus: 'COMPLETE' } as const) : {}),
      };
    });
    const [now] = broker.positions;
    if (bench.showsFills) setHeld((now?.quantity ?? 0) - quantity);
  }

  broker.place = (attempt: PlaceAttempt): Outcome => {
    const fate = fates.shift() ?? { kind: 'fills' };
    if (fate.kind !== 'fills' && fate.kind !== 'row rejected') return fate;
    const brokerOrderId = `leg-${(ids += 1)}`;
    const { side, quantity, product, orderType, price } = attempt.terms;
    const shares = { instrument: attempt.terms.instrument, side, quantity, product };
    const row = { brokerOrderId, ...shares, orderType, price, tags: [attempt.tag] };
    const isRejected = fate.kind === 'row rejected';
    const status = isRejected
      ? ({ status: 'rejected', rawStatus: 'REJECTED', reason: fate.reason } as const)
      : {};
    broker.rows = [...broker.rows, rowAt(time, { ...row, ...status })];
    if (!isRejected) fill(brokerOrderId, fate.quantity ?? quantity);
    return { kind: 'acknowledged', brokerOrderId };
  };
  broker.cancel = (brokerOrderId): Outcome => {
    broker.rows = broker.rows.map((row) =>
      row.brokerOrderId === brokerOrderId && row.status === 'working'
        ? {
            ...row,
            status: (row.filledQuantity ?? 0) > 0 ? 'partial' : 'cancelled',
            rawStatus: 'CANCELLED',
          }
        : row,
    );
    return { kind: 'acknowledged', brokerOrderId };
  };

  const trading = await tradingWith(time, [broker], database, {
    quoteOf: () => Promise.resolve(bench.quote),
    exits: settings,
    instruments: {
      byName: (name) => (name === of.name ? of : listed(name)),
      bySecurityId: () => null,
    },
  });
  await time.advance(2_000);
  let keys = 0;
  const commandOf = (parts: Partial<ExitCommand> = {}): ExitCommand => ({
    caller: 'someone',
    idempotencyKey: `exit key ${(keys += 1)}`,
    trading: broker.trading,
    ...{ instrument: of.name, product: 'INTRADAY', quantity: null, orderId: null },
    ...parts,
  });
  const { exits } = trading.execution;
  return {
    ...{ time, broker, trading, database, bench, fates, fill, setHeld, commandOf },
    begin: async (parts: Partial<ExitCommand> = {}) =>
      (await time.settle(trading.execution.exits.begin(commandOf(parts)))).exit,
    /** The exit after some time, ms. */
    async after(id: string, ms: number) {
      await time.advance(ms);
      const exit = await trading.execution.exits.exit(id);
      if (!exit) throw new Error(`there is no exit ${id}`);
      return exit;
    },
    exits,
    /** Type, quantity and price of each leg that has reached the broker. */
    legs: () =>
      broker.placed.map(({ terms: { orderType, quantity, price } }) => [
        orderType,
        quantity,
        price,
      ]),
  };
}
