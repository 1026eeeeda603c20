import type { BrokerId, Mode } from '../domain/broker.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { isFinal, type OrderResponse } from '../domain/order.ts';
import type { Gateway } from '../router/gateway.ts';
import type { ListedTrigger } from '../router/triggers.ts';

/** What an account has of one instrument and product, negative where it is short. */
export interface HeldPosition {
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly instrument: string;
  readonly product: string;
  readonly quantity: number;
}

export interface ReadOf<Row> {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** None, or not all, where there is a problem, and that says nothing about what there is. */
  readonly rows: readonly Row[];
  /** Why it could not be read, or not whole; null where it was. */
  readonly problem: string | null;
}

type Account = Pick<ReturnType<Gateway['getBrokers']>[number], 'broker' | 'mode'>;

/** The accounts of the trading route. */
export const tradingAccounts = (gateway: Pick<Gateway, 'getBrokers'>): readonly Account[] =>
  gateway.getBrokers().filter(({ serves }) => serves.includes('trading'));

/** What each account holds now, of delivery the shares in the holdings too. Rows of a quantity of 0 are left out. */
export function readHeld(
  gateway: Pick<Gateway, 'getPositions' | 'getHoldings'>,
  accounts: readonly Account[],
): Promise<readonly ReadOf<HeldPosition>[]> {
  return Promise.all(
    accounts.map(({ broker, mode }) =>
      readOf({ broker, mode }, async () => {
        const now = { broker, maxAgeMs: 0 };
        const [positions, holdings] = await Promise.all([
          gateway.getPositions(now),
          gateway.getHoldings(now),
        ]);
        const held = new Map<string, HeldPosition>();
        const add = (instrument: string, product: string, quantity: number): void => {
          const key = `${instrument} ${product}`;
          const before = held.get(key)?.quantity ?? 0;
          held.set(key, { broker, mode, instrument, product, quantity: before + quantity });
        };
        for (const row of positions.data) add(row.instrument, row.product, row.quantity);
        for (const { instrument, quantity } of holdings.data) add(instrument, 'CNC', quantity);
        return [...held.values()].filter(({ quantity }) => quantity !== 0);
      }),
    ),
  );
}

/** Orders that are open at each account, those placed elsewhere included. An account without orders is left out. */
export async function readOpenOrders(
  gateway: Pick<Gateway, 'getOrders'>,
  accounts: readonly Account[],
): Promise<readonly ReadOf<OrderResponse>[]> {
  const reads = accounts.map(async ({ broker, mode }) => {
    let lacking: string | null = null;
    const read = await readOf({ broker, mode }, async () => {
      const open: OrderResponse[] = [];
      let cursor: string | undefined;
      do {
        const page = await gateway.getOrders({ broker, cursor, maxAgeMs: 0 });
        open.push(...page.data.filter(({ status }) => !isFinal(status)));
        const book = page.books.find((each) => each.broker === broker);
        if (book && book.unreadRows > 0) lacking = book.reason;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return open;
    });
    return { ...read, problem: read.problem ?? lacking };
  });
  return whereOffered(reads);
}

/** Triggers that may still place an order at each account. An account without triggers is left out. */
export async function readOpenTriggers(
  gateway: Pick<Gateway, 'getTriggers'>,
  accounts: readonly Account[],
): Promise<readonly ReadOf<ListedTrigger>[]> {
  const reads = accounts.map(({ broker, mode }) =>
    readOf({ broker, mode }, async () => {
      const { data } = await gateway.getTriggers({ broker });
      return data.filter(({ status }) => status !== 'triggered' && status !== 'ended');
    }),
  );
  return whereOffered(reads);
}

async function whereOffered<Row>(
  reads: readonly Promise<ReadOf<Row>>[],
): Promise<readonly ReadOf<Row>[]> {
  const each = reads.map((read) =>
    read.catch((error: unknown) => {
      if (error instanceof GatewayProblem && error.fields.code === 'not_supported') return null;
      throw error;
    }),
  );
  return (await Promise.all(each)).filter((read) => read !== null);
}

/** A problem is told of the account that has it; a mistake of the gateway is one of the whole command. */
async function readOf<Row>(
  account: Account,
  read: () => Promise<readonly Row[]>,
): Promise<ReadOf<Row>> {
  try {
    return { ...account, rows: await read(), problem: null };
  } catch (error) {
    if (!(error instanceof GatewayProblem) || error.fields.code === 'not_supported') throw error;
    return { ...account, rows: [], problem: error.fields.detail };
  }
}

/** One line for each account that could not be read. */
export const unreadText = (reads: readonly ReadOf<unknown>[], what: string): readonly string[] =>
  reads.flatMap(({ broker, problem }) =>
    problem === null
      ? []
      : [`${what} ${broker} could not be read: ${problem}. That does not mean that there is none.`],
  );
