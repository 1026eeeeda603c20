import type { Check, Found, Page } from './checks.ts';
import { expiryCheck, postbackChecks, sellCheck, tickerChecks } from './ready-today.ts';
import { clockTime, count, dayAndTime, isSameDay, rupees } from './format.ts';
import type { Order } from './orders.ts';

/** The checklist of the morning. */
export function readyChecks(found: Found, page: Page, now: number): readonly Check[] {
  return [
    loginCheck(page, now),
    ...addressChecks(page, now),
    ...instrumentChecks(page),
    fundsCheck(found),
    sellCheck(found),
    limitCheck(found),
    holidayCheck(found),
    expiryCheck(found, page),
    ...tickerChecks(page),
    ...postbackChecks(page),
    clockCheck(found, page),
    ...missingChecks(found),
  ];
}

function loginCheck({ session }: Page, now: number): Check {
  const what = 'Login';
  if (session?.state !== 'valid' || session.expiresAt === null) {
    const ended = session?.expiresAt
      ? `it ended ${dayAndTime(session.expiresAt)}`
      : 'nobody is logged in';
    return { is: 'fail', what, words: ended };
  }
  const left = Date.parse(session.expiresAt) - now;
  const words = `${session.userId ?? 'valid'}, until ${dayAndTime(session.expiresAt)}`;
  return { is: left > 3_600_000 ? 'ok' : 'look', what, words };
}

/**
 * Which addresses are registered cannot be read at a broker: a refused order tells it, and one that was taken. Before the first order of
 * the day nobody knows, since the address of a line may change over night.
 */
function addressChecks({ brokers, orders }: Page, now: number): readonly Check[] {
  return (brokers ?? [])
    .filter(({ mode, setUp }) => mode === 'live' && setUp)
    .map(({ broker, addressRefusedAt, addressAdvice }): Check => {
      const what = `Outgoing address, ${broker}`;
      if (addressRefusedAt !== null) {
        const words = addressAdvice ?? `refused ${dayAndTime(addressRefusedAt)}`;
        return { is: 'fail', what, words };
      }
      const taken = [...(orders?.values() ?? [])]
        .filter((order) => order.broker === broker && isTakenFromHere(order))
        .map(({ createdAt }) => Date.parse(createdAt))
        .filter((at) => isSameDay(at, now));
      return taken.length === 0
        ? { is: 'unknown', what, words: 'no order of today has been taken yet, so nobody can tell' }
        : { is: 'ok', what, words: `an order of ${clockTime(Math.max(...taken), now)} was taken` };
    });
}

/** Whether the broker has given an id to an order that left this gateway; a person may have named an order from elsewhere. */
const isTakenFromHere = ({ mode, external, brokerOrderId, boundBy }: Order): boolean =>
  mode === 'live' && !external && brokerOrderId !== null && boundBy !== 'person';

function instrumentChecks({ brokers }: Page): readonly Check[] {
  return (brokers ?? []).flatMap(({ broker, instruments }): readonly Check[] => {
    if (instruments === null) return [];
    const { count: number, asOf, outdated, problem } = instruments;
    const what = `Instruments, ${broker}`;
    const read = asOf === null ? 'never read' : `${count(number)}, read ${dayAndTime(asOf)}`;
    if (asOf === null) return [{ is: 'fail', what, words: problem ?? read }];
    return [{ is: outdated || problem !== null ? 'look' : 'ok', what, words: problem ?? read }];
  });
}

function fundsCheck({ funds }: Found): Check {
  const what = 'Funds';
  if (typeof funds === 'string') return { is: 'fail', what, words: funds };
  return {
    is: funds.available > 0 ? 'ok' : 'look',
    what,
    words: `${rupees(funds.available)} available`,
  };
}

/** The window of which least is left, of all brokers. */
function limitCheck({ limits }: Found): Check {
  const what = 'Limits left';
  if (typeof limits === 'string') return { is: 'fail', what, words: limits };
  const windows = limits.flatMap(({ broker, buckets }) =>
    buckets.flatMap(({ name, windows: of }) => of.map((each) => ({ ...each, broker, name }))),
  );
  const [least] = windows.toSorted((one, other) => one.left / one.limit - other.left / other.limit);
  if (least === undefined) return { is: 'ok', what, words: 'no broker has one' };
  const { broker, name, left, limit, seconds } = least;
  const words = `least at ${broker}, ${name}: ${count(left)} of ${count(limit)} in ${count(seconds)} s`;
  return { is: left / limit > 0.2 ? 'ok' : 'look', what, words };
}

function holidayCheck({ calendar }: Found): Check {
  const what = 'Trading day';
  if (typeof calendar === 'string') return { is: 'fail', what, words: calendar };
  const { isTradingDay, nextTradingDay, holidays } = calendar;
  if (holidays === null)
    return { is: 'look', what, words: 'the holidays of this year are not known' };
  return isTradingDay
    ? { is: 'ok', what, words: 'today' }
    : { is: 'look', what, words: `not today; the next is ${nextTradingDay}` };
}

const MOST_APART_MS = 2_000;

/** A clock that is further off proves nothing about orders (docs/orders.md, "Clocks"). */
const MOST_OFF_MS = 60_000;

/**
 * The gateway and this browser may run on one machine, so that their agreement says nothing: what is right, the answers of the brokers
 * tell. Of several the one that is furthest off counts.
 */
function clockCheck({ clock }: Found, { brokers }: Page): Check {
  const what = 'Clock';
  const off = (ms: number, of: string): string =>
    `the gateway’s is ${count(Math.round(Math.abs(ms) / 1_000))} s ${ms > 0 ? 'ahead of' : 'behind'} ${of}`;
  if (clock === null) return { is: 'look', what, words: 'the gateway did not tell its time' };
  if (Math.abs(clock) > MOST_APART_MS) {
    return { is: 'fail', what, words: off(clock, 'this machine’s') };
  }
  const told = (brokers ?? []).flatMap(({ broker, clock: compared }) =>
    compared === null ? [] : [{ broker, ms: compared.aheadMs }],
  );
  const [worst] = told.toSorted((one, other) => Math.abs(other.ms) - Math.abs(one.ms));
  if (worst === undefined) {
    const words = 'no broker has told its time since the gateway started';
    return { is: 'unknown', what, words };
  }
  const { broker, ms } = worst;
  if (Math.abs(ms) <= MOST_APART_MS) {
    return { is: 'ok', what, words: `agrees with that of ${broker}` };
  }
  const words = off(ms, `that of ${broker}`);
  return Math.abs(ms) > MOST_OFF_MS
    ? { is: 'fail', what, words: `${words}: switch on the time service of its machine` }
    : { is: 'look', what, words: `${words}: is the time service of its machine on?` };
}

function missingChecks({ readiness }: Found): readonly Check[] {
  const what = 'Gateway';
  if (typeof readiness === 'string') return [{ is: 'fail', what, words: readiness }];
  if (readiness.missing.length === 0) return [{ is: 'ok', what, words: 'nothing is missing' }];
  return readiness.missing.map(({ what: part, detail }): Check => ({
    is: 'look',
    what: `Missing: ${part.replace('_', ' ')}`,
    words: detail,
  }));
}
