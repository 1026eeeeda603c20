import { type Answer, type Client, NoAnswerError, ProblemError } from '../../client/index.ts';
import { accountText } from './orders.ts';

type Position = Answer<'getPositions'>['data'][number];
type Broker = Answer<'getBrokers'>['data'][number];

/** Delivery shares of one instrument: those of the holdings, and what was traded of them today. */
export interface DeliveryShares {
  readonly instrument: string;
  /** In the holdings, T1 included. */
  readonly holdings: number;
  /** Of those, bought lately and not delivered yet. */
  readonly t1: number;
  /** Bought less sold in the positions of product CNC. */
  readonly today: number;
}

/** What an account of the trading route holds now. Empty lists say nothing where there is a problem. */
export interface HeldNow {
  readonly broker: string;
  readonly mode: Broker['mode'];
  /** Of every product but CNC, without rows of 0. */
  readonly positions: readonly Position[];
  readonly delivery: readonly DeliveryShares[];
  /** Why the account could not be read; null where it was. */
  readonly problem: string | null;
}

/** The account that is named, or each of the trading route that the key may read. Throws where nothing answers. */
export async function readHeld(
  client: Client,
  broker: string | undefined,
): Promise<readonly HeldNow[]> {
  const { data } = await client.getBrokers();
  const isMeant = ({ broker: name, serves }: Broker): boolean =>
    broker === undefined ? serves.includes('trading') : name === broker;
  const reads = await Promise.all(data.filter(isMeant).map((each) => readAccount(client, each)));
  return reads.filter((read) => read !== null);
}

/** Null for an account that the key may not read: it closes nothing there either. */
async function readAccount(client: Client, { broker, mode }: Broker): Promise<HeldNow | null> {
  const account = { broker, mode };
  const now = { broker, maxAgeMs: 0 };
  try {
    const [positions, holdings] = await Promise.all([
      client.getPositions(now),
      client.getHoldings(now),
    ]);
    const open = positions.data.filter(({ quantity }) => quantity !== 0);
    return {
      ...account,
      positions: open.filter(({ product }) => product !== 'CNC'),
      delivery: deliveryOf(
        open.filter(({ product }) => product === 'CNC'),
        holdings.data,
      ),
      problem: null,
    };
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'forbidden') return null;
    return { ...account, positions: [], delivery: [], problem: problemText(error) };
  }
}

/** Rethrows what is no failure of a request. */
function problemText(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.detail;
  if (error instanceof NoAnswerError) return 'the gateway did not answer';
  throw error;
}

function deliveryOf(
  positions: readonly Position[],
  holdings: Answer<'getHoldings'>['data'],
): readonly DeliveryShares[] {
  const shares = new Map<string, DeliveryShares>();
  const add = (instrument: string, more: Partial<DeliveryShares>): void => {
    const before = shares.get(instrument) ?? { instrument, holdings: 0, t1: 0, today: 0 };
    shares.set(instrument, {
      instrument,
      holdings: before.holdings + (more.holdings ?? 0),
      t1: before.t1 + (more.t1 ?? 0),
      today: before.today + (more.today ?? 0),
    });
  };
  for (const { instrument, quantity, t1Quantity } of holdings) {
    add(instrument, { holdings: quantity, t1: t1Quantity });
  }
  for (const { instrument, quantity } of positions) add(instrument, { today: quantity });
  return [...shares.values()].filter((each) => sharesLeft(each) !== 0);
}

/** Shares that the account still has, T1 and those of today included; negative where more was sold under this name. */
export const sharesLeft = ({ holdings, today }: DeliveryShares): number => holdings + today;

/** `190 NSE:INFY (5 of them T1; 10 sold today)` */
export function deliveryText(shares: DeliveryShares): string {
  const { instrument, t1, today } = shares;
  const details = [
    ...(t1 === 0 ? [] : [`${t1} of them T1`]),
    ...(today === 0 ? [] : [`${Math.abs(today)} ${today > 0 ? 'bought' : 'sold'} today`]),
  ];
  const text = `${sharesLeft(shares)} ${instrument}`;
  return details.length === 0 ? text : `${text} (${details.join('; ')})`;
}

/** Whether a name of the command line, with or without its exchange, can be that of an instrument. */
export function canBe(asked: string, instrument: string): boolean {
  const name = asked.toUpperCase();
  return instrument === name || instrument.endsWith(`:${name}`);
}

export const unreadText = (account: HeldNow): string =>
  `What ${accountText(account)} holds cannot be read now: ${account.problem ?? ''}. That does not mean that it holds nothing.`;
