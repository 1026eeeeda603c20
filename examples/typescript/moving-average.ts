import { connect, option, words } from './connect.ts';

// A moving-average strategy on paper, one decision for each start: run it from cron after each candle.
//   node moving-average.ts NSE:INFY 10
// It buys when the short average is above the long one, and sells when it is below.

const SHORT = 5;
const LONG = 20;
const DAYS = 7;

const [instrument = 'NSE:INFY', quantity = '1'] = words();
const gateway = connect();

// IST has no summer time: an instant written in it is its UTC text, five and a half hours later.
const inIst = (ms: number): string => new Date(ms + 19_800_000).toISOString().slice(0, 16);
const now = Number(option('now') ?? Date.now());
const { data: candles } = await gateway.getCandles({
  instrument,
  interval: '5minute',
  from: inIst(now - DAYS * 86_400_000),
  to: inIst(now),
});
// The last candle is still being made.
const closed = candles.slice(0, -1);
const last = closed.at(-1);
if (last === undefined || closed.length < LONG) {
  throw new Error(`${closed.length} candles are too few for an average of ${LONG}`);
}
const average = (count: number): number =>
  closed.slice(-count).reduce((sum, { close }) => sum + close, 0) / count;

// A list that cannot be read is an error, and never an account without positions. An answer of some seconds ago may
// lack what was ordered since, so this asks for one of now.
const { data: positions } = await gateway.getPositions({ broker: 'paper', maxAgeMs: 0 });
const held = positions
  .filter((each) => each.instrument === instrument && each.product === 'INTRADAY')
  .reduce((sum, each) => sum + each.quantity, 0);

const isAbove = average(SHORT) > average(LONG);
const told = `${instrument} at ${last.at}: ${average(SHORT).toFixed(2)} and ${average(LONG).toFixed(2)}, ${held} held`;
const side = isAbove && held === 0 ? 'BUY' : !isAbove && held > 0 ? 'SELL' : null;
if (side === null) {
  console.log(`${told}: nothing to do`);
} else {
  const { data: order, replayed } = await gateway.placeOrder({
    // One decision for each candle: started twice for one candle, it orders once.
    key: `ma ${side} ${instrument} ${last.at}`.slice(0, 64),
    body: {
      ...{ instrument, side, product: 'INTRADAY', orderType: 'MARKET', broker: 'paper' },
      quantity: side === 'BUY' ? Number(quantity) : held,
    },
  });
  console.log(`${told}: ${side} ${order.status}${replayed ? ', ordered before' : ''}`);
}
