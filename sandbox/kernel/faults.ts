import type { SandboxClock, SandboxRandom } from './ports.ts';

export type BrokerName = 'kite' | 'primary';

const firstWireFaults = [
  // Before the broker acts.
  'refuse',
  'hang_before',
  'error_before',
  'lying_2xx_before',
  'reset_before',
  'redirect',
  'rate_limited',
  // After it has acted.
  'hang_after',
  'error_after',
  'lying_2xx_after',
  'html_2xx_after',
  'no_id_2xx_after',
  'foreign_id_2xx_after',
  'cut_after',
  'trickle_after',
  'reset_after',
] as const;

/** After the broker has acted: an answer that is wrong in another way. */
const wrongAnswers = [
  'wrong_id_2xx_after',
  'refused_after',
  'mangled_2xx_after',
  'old_answer',
] as const;

/** Faults of one reply on the wire. */
export const wireFaultKinds = [...firstWireFaults, ...wrongAnswers] as const;

/** All kinds but the ticker's; newer kinds come last (test/simulation/plan-faults.ts). */
export const faultKinds = [
  ...firstWireFaults,
  // Kite replies "timed out" and places the order later.
  'timeout_400',
  'dead_token',
  // What order reads show.
  'late_rows',
  'stale_book',
  'truncated_book',
  'bad_row',
  'contradictory_row',
  // What Kite's postbacks do.
  'postback_lost',
  'postback_doubled',
  'postback_reordered',
  'postback_forged',
  ...wrongAnswers,
  // What becomes of an order that is being placed.
  'tag_lost',
  'late_row_only',
  'late_past_close',
  // What order reads show.
  'bad_field',
  'bad_id',
  'status_back',
  'frozen_book',
  'foreign_hidden',
  // Stops that wait have a status that nobody knows.
  'odd_status',
  // The oldest row is dated two days later.
  'bad_date',
  // Rows whose figures or ids are not what they seem.
  'remaining_quantity',
  'shared_id',
  // Rows of orders that work have the quantity that they were placed with.
  'quantity_lags',
  // The row of an order that is being placed cannot be read whole.
  'odd_row',
  // A cancel that is taken, and comes to nothing.
  'cancel_undone',
] as const;

/**
 * Faults of Kite's ticker: no handshake, no connection, silence, garbage. Only a transport with
 * sockets has it.
 */
export const tickerFaultKinds = [
  'ticker_refused',
  'ticker_cut',
  'ticker_silent',
  'ticker_garbled',
] as const;

/**
 * What reads of the account show: a row of the positions that cannot be read whole, positions and holdings that are
 * behind the order book, positions of which some figures are behind the others, no derivatives at the primary
 * brokerage, whatever the account holds, each row of the account and of the order book twice, rows of others in other words, and
 * the primary brokerage's positions in their older form. Only days that are directed at them have them.
 */
export const accountFaultKinds = [
  'bad_position',
  'late_positions',
  'split_positions',
  'derivatives_refused',
  'rows_twice',
  'spelled_rows',
  'older_positions',
] as const;

export type FaultKind =
  | (typeof faultKinds)[number]
  | (typeof tickerFaultKinds)[number]
  | (typeof accountFaultKinds)[number];

/** A rule that makes a broker fail. Times are epoch ms, `until` exclusive. */
export interface FaultRule {
  broker: BrokerName;
  kind: FaultKind;
  /**
   * A text matches that path and all paths below it; a pattern is tested on the path, without the
   * query. `query` and `body` are texts that the query and the body have in them: a broker may fail one question of a
   * path alone.
   */
  match?: { method?: string; path?: string | RegExp; query?: string; body?: string };
  /** The fault strikes this often, then no more. */
  times?: number;
  from?: number;
  until?: number;
  /** In [0, 1]; 1 when absent. */
  probability?: number;
  /**
   * `status`, `body` ('json', 'html' or a literal text) for errors and false 2xx replies;
   * `location` for redirect; `retryAfter` (seconds); `delayMs` for timeout_400, late_rows and
   * postback_reordered; `ageMs` for stale_book, late_positions and split_positions (`of`: 'quantity' where it is
   * behind the others), and for rows_twice, whose copies in the order book are so old; `drop` (rows) for truncated_book; `mode` for
   * postback_forged: 'wrong_checksum' or 'replayed' (right checksum, other status), and for
   * tag_lost: 'lost' or 'replaced'; `row` for wrong_id_2xx_after: 'hand', 'ours', 'ended',
   * 'nobody', 'swapped', 'pair' or 'spelled'; `form` for spelled_rows: 'words', 'nothing' or 'less'; for bad_id: 'last' (any row when absent); `mode` for remaining_quantity: 'ended' for
   * orders that have ended as well; `price` (index) for the form 3 of bad_position; `form` for older_positions: 'ignored' or
   * 'alone'; `suffix` of the symbol for odd_row; `refusal` (index) for refused_after; `delayMs` for late_row_only. Faults of the
   * ticker strike once a second for each client, `ticker_refused` (`status`) at a handshake.
   */
  params?: Record<string, string | number>;
}

export interface ListedFault extends FaultRule {
  id: string;
  /** How often it has struck. */
  hits: number;
}

/** The faults as a tester sets them. */
export interface FaultSwitch {
  add(rule: FaultRule): string;
  remove(id: string): boolean;
  clear(): void;
  list(): ListedFault[];
  /** How often each kind has struck since the start; `clear` does not reset it. */
  hits(): Partial<Record<FaultKind, number>>;
  /** How often any has. */
  strikes(): number;
}

/** What a broker is asked; the query is without its question mark, and it and the body are absent where they do not matter. */
export interface Asked {
  method: string;
  path: string;
  query?: string;
  body?: string;
}

/** The faults as the sandbox asks for them. */
export interface FaultSource {
  /** The first rule of one of these kinds that strikes here and now; it is counted. */
  strike(
    broker: BrokerName,
    kinds: readonly FaultKind[],
    where: Asked | null,
    /** Only rules that name a path: without a path, the same kind means something else. */
    named?: boolean,
  ): ListedFault | null;
}

function fits(rule: FaultRule, where: Asked | null): boolean {
  if (!rule.match || !where) return true;
  const { method, path, query, body } = rule.match;
  if (body !== undefined && !(where.body ?? '').includes(body)) return false;
  if (query !== undefined && !(where.query ?? '').includes(query)) return false;
  if (method !== undefined && method.toUpperCase() !== where.method) return false;
  if (path === undefined) return true;
  if (typeof path === 'string') return where.path === path || where.path.startsWith(`${path}/`);
  return new RegExp(path.source, path.flags.replace(/[gy]/g, '')).test(where.path);
}

export function createFaults(
  clock: SandboxClock,
  random: SandboxRandom,
): { faults: FaultSwitch; source: FaultSource } {
  const rules = new Map<string, ListedFault>();
  const hits = new Map<FaultKind, number>();
  let [count, strikes] = [0, 0];
  const faults: FaultSwitch = {
    add(rule) {
      count += 1;
      const id = `fault-${count}`;
      rules.set(id, { ...rule, id, hits: 0 });
      return id;
    },
    remove: (id) => rules.delete(id),
    clear: () => rules.clear(),
    list: () => [...rules.values()].map((rule) => ({ ...rule })),
    hits: () => Object.fromEntries(hits),
    strikes: () => strikes,
  };
  const source: FaultSource = {
    strike(broker, kinds, where, named = false) {
      const now = clock.now();
      for (const rule of rules.values()) {
        if (rule.broker !== broker || !kinds.includes(rule.kind)) continue;
        if (rule.times !== undefined && rule.hits >= rule.times) continue;
        if (now < (rule.from ?? -Infinity) || now >= (rule.until ?? Infinity)) continue;
        if (named && rule.match?.path === undefined) continue;
        if (!fits(rule, where)) continue;
        if (rule.probability !== undefined && random.next() >= rule.probability) continue;
        rule.hits += 1;
        strikes += 1;
        hits.set(rule.kind, (hits.get(rule.kind) ?? 0) + 1);
        return rule;
      }
      return null;
    },
  };
  return { faults, source };
}

/** A number among a fault's parameters. */
export function numberOf(fault: ListedFault | null, name: string, fallback: number): number {
  const value = Number(fault?.params?.[name] ?? fallback);
  return Number.isFinite(value) ? value : fallback;
}
