import {
  type Answer,
  type Client,
  newKey,
  NoAnswerError,
  ProblemError,
} from '../../client/index.ts';
import { rupees } from '../../src/domain/rupees.ts';
import { messageOf } from '../../src/platform/values.ts';
import { orderLine } from '../commands/orders.ts';
import { type Finding, look, well, wrong } from './finding.ts';

/** How far below the last price the order of the round is: inside the day's price band, and far from a trade. */
const BELOW = 0.04;

/** A share below this has ticks that are too coarse for a bid that is surely below the market. */
const LEAST_PRICE = 10;

/**
 * The first contact with a real account: reads at a live broker, then one LIMIT order of one share far below the
 * market, and its cancel. Stops at the first step that is not as it should be. Each step is a finding, whatever is
 * thrown in it: a report that is lost would not name an order that rests.
 */
export async function liveRound(
  client: Client,
  broker: string,
  instrument: string,
  wait: (ms: number) => Promise<void>,
): Promise<readonly Finding[]> {
  const findings = await stepsOf(client, broker, instrument, wait);
  return findings.map((each) => ({ ...each, detail: `${broker}: ${each.detail}` }));
}

async function stepsOf(
  client: Client,
  broker: string,
  instrument: string,
  wait: (ms: number) => Promise<void>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [what, read] of readsOf(client, broker)) {
    const finding = await attempt(what, read);
    findings.push(finding);
    if (finding.state === 'wrong') return findings;
  }
  const price = await restingPrice(client, broker, instrument);
  if (typeof price !== 'number') return [...findings, price];
  findings.push(
    well('price', `${instrument}: one share at ${rupees(price)}, far below the market`),
  );
  const placed = await placeOne(client, broker, instrument, price);
  if ('what' in placed) return [...findings, placed];
  findings.push(stateFinding('order placed', placed, ['working']));
  if (isFinal(placed)) return findings;
  return [...findings, await cancelOne(client, placed, wait)];
}

/** Also where the cancel has no answer: what became of the order is read all the same. */
async function cancelOne(
  client: Client,
  placed: Order,
  wait: (ms: number) => Promise<void>,
): Promise<Finding> {
  const what = 'order cancelled';
  let why: string | null = null;
  try {
    await client.cancelOrder({ id: placed.id });
  } catch (error) {
    why = messageOf(error);
  }
  try {
    const ended = await untilFinal(client, placed.id, wait);
    if (isFinal(ended)) return stateFinding(what, ended, ['cancelled']);
    why ??= `it is ${ended.status} after ${CANCEL_WITHIN_S} s`;
  } catch (error) {
    why ??= messageOf(error);
  }
  const { id, broker, brokerOrderId } = placed;
  const named = brokerOrderId === null ? id : `${id}, at the broker ${brokerOrderId}`;
  return wrong(
    what,
    `it is not known whether it was (${why}): the order (${named}) may still rest at ${broker}: look with orders, ` +
      'and cancel it there',
  );
}

type Order = Answer<'getOrder'>['data'];

/** The order; a finding where there is no answer, since it may be at the broker all the same. */
async function placeOne(
  client: Client,
  broker: string,
  instrument: string,
  price: number,
): Promise<Order | Finding> {
  const terms = { instrument, side: 'BUY', quantity: 1, orderType: 'LIMIT', price } as const;
  const body = { ...terms, product: 'CNC', broker, mode: 'live' } as const;
  try {
    return (await client.placeOrder({ key: `doctor-${newKey()}`, keyIsNew: true, body })).data;
  } catch (error) {
    const isRefused =
      (error instanceof ProblemError || error instanceof NoAnswerError) && !error.mayHaveExecuted;
    if (isRefused) return wrong('order placed', `it was not: ${error.message}`);
    const detail = `it is not known whether it was: look with orders, and cancel it there (${messageOf(error)})`;
    return wrong('order placed', detail);
  }
}

type Read = readonly [what: string, read: () => Promise<string>];

function readsOf(client: Client, broker: string): readonly Read[] {
  const at = { broker, maxAgeMs: 0 };
  const counted = (count: number, what: string): string => `${count} ${what}`;
  return [
    ['profile', async () => `of ${(await client.getProfile(at)).data.userId}`],
    ['funds', async () => `${rupees((await client.getFunds(at)).data.available ?? 0)} available`],
    ['positions', async () => counted((await client.getPositions(at)).data.length, 'positions')],
    ['holdings', async () => counted((await client.getHoldings(at)).data.length, 'holdings')],
    ['order book', async () => counted((await client.getOrders(at)).data.length, 'orders')],
  ];
}

async function attempt(what: string, read: () => Promise<string>): Promise<Finding> {
  try {
    return well(what, await read());
  } catch (error) {
    return wrong(what, error instanceof ProblemError ? error.problem.detail : messageOf(error));
  }
}

/** A whole rupee: on the tick of every share. A finding where there is no such price far below the market. */
async function restingPrice(
  client: Client,
  broker: string,
  instrument: string,
): Promise<number | Finding> {
  const what = 'price';
  try {
    const asked = { instruments: instrument, broker, maxAgeMs: 0 };
    const { data, errors } = await client.getQuotes(asked);
    const quote = data[instrument];
    if (quote === undefined)
      return wrong(what, `${instrument} has none: ${errors[instrument] ?? 'no reason is known'}`);
    const { lastPrice, lowerCircuit } = quote;
    const far = Math.floor(lastPrice * (1 - BELOW));
    const price = lowerCircuit === null ? far : Math.max(far, Math.ceil(lowerCircuit));
    if (lastPrice >= LEAST_PRICE && price < lastPrice) return price;
    return wrong(
      what,
      `${instrument} is at ${rupees(lastPrice)}: a bid of whole rupees would not be surely below the market, so nothing was ` +
        `placed; name a share above ${rupees(LEAST_PRICE)} with --instrument`,
    );
  } catch (error) {
    return wrong(what, error instanceof ProblemError ? error.problem.detail : messageOf(error));
  }
}

const FINAL = ['filled', 'cancelled', 'rejected', 'not_sent'];
const isFinal = ({ status }: Order): boolean => FINAL.includes(status);

const CANCEL_WITHIN_S = 15;

async function untilFinal(
  client: Client,
  id: string,
  wait: (ms: number) => Promise<void>,
): Promise<Order> {
  for (let seconds = 0; ; seconds += 1) {
    const { data } = await client.getOrder({ id });
    if (isFinal(data) || seconds === CANCEL_WITHIN_S) return data;
    await wait(1_000);
  }
}

function stateFinding(what: string, order: Order, expected: readonly string[]): Finding {
  const line = orderLine(order);
  if (expected.includes(order.status)) return well(what, line);
  return order.status === 'filled'
    ? look(what, `${line}: you hold one share now`)
    : wrong(what, `${line}: look at it at the broker`);
}
