import { GatewayProblem } from '../../domain/problem.ts';
import { sleep } from '../../platform/clock.ts';
import { callerKey } from '../journal/records.ts';
import { closingProblem } from '../submit/place-command.ts';
import {
  brokerOfItem,
  type CancelItem,
  type CancelItemsParts,
  createCancelItems,
  isOpenItem,
} from './cancel-items.ts';
import type { CancelRunRecord } from './cancel-run.ts';
import type { CancelAllCommand, UnreadOfRun } from './cancel-command.ts';
import { createFixSet, mustBeSame } from './fix-set.ts';
import { doubtsOfBooks } from './orders-of-triggers.ts';
import { createFixTriggers } from './fix-triggers.ts';
import { createTriggerItems, type TriggerItem, type TriggerItemsParts } from './trigger-items.ts';

export interface CancelAllParts extends CancelItemsParts, TriggerItemsParts {
  /** Work that has to end before the journal may be closed. */
  readonly track: (work: Promise<void>) => Promise<void>;
}

export interface CancelAllResult {
  readonly idempotencyKey: string;
  /** The key had been used: these are the orders of the first request. */
  readonly repeated: boolean;
  readonly items: readonly CancelItem[];
  /** Null where triggers were not asked for. */
  readonly triggers: readonly TriggerItem[] | null;
  /** Books and lists of triggers that could not be read whole: what rests there is not known. */
  readonly unread: readonly UnreadOfRun[];
  /** Orders of which it is not known whether a trigger of the caller has placed them: they were left alone. */
  readonly doubts: readonly UnreadOfRun[];
  /** How many books and lists were asked for. */
  readonly asked: number;
}

/** A request whose cancels may still be under way. */
interface Run {
  readonly requestHash: string;
  readonly result: () => CancelAllResult;
  /** Resolves once every cancel has its answer. */
  readonly done: Promise<void>;
  /** Resolves once the books were read, or could not be. */
  readonly isSet: Promise<void>;
}

/** A caller hears by then how far it is; the rest goes on. */
const ANSWER_MS = 10_000;
/** The pauses between the reads of a book that may show what was cancelled. */
const CONFIRM_MS = [250, 500, 1_000];

/**
 * Cancels many orders, and deletes many triggers, each for itself (docs/many-orders.md). Which ones is fixed at the
 * beginning and on disk: our open orders at once, orders placed elsewhere, and those that
 * triggers have placed, by the first read of the book.
 */
export function createCancelAll(
  parts: CancelAllParts,
): (command: CancelAllCommand) => Promise<CancelAllResult> {
  const set = createFixSet(parts);
  const triggerSet = createFixTriggers(parts);
  const createItems = createCancelItems(parts);
  const createOfTriggers = createTriggerItems(parts);
  const underWay = new Map<string, Run>();

  return async function cancelAll(command: CancelAllCommand): Promise<CancelAllResult> {
    const { caller, idempotencyKey } = command;
    const name = idempotencyKey === null ? null : callerKey(caller, idempotencyKey);
    const ahead = name === null ? undefined : underWay.get(name);
    if (ahead) {
      mustBeSame(ahead, command);
      return { ...(await answerOf(parts, ahead)), repeated: true };
    }
    if (parts.closing()) throw whileClosing(await set.knownRun(command));
    const run = begin(command);
    if (name !== null) {
      underWay.set(name, run);
      const forget = (): void => void underWay.delete(name);
      run.done.then(forget, forget);
    }
    return answerOf(parts, run);
  };

  function begin(command: CancelAllCommand): Run {
    const unread: UnreadOfRun[] = [];
    let doubts: readonly UnreadOfRun[] = [];
    let run: CancelRunRecord | null = null;
    let asked = 0;
    let repeated = false;
    const items = createItems(command.idempotencyKey, () => run);
    const triggers = createOfTriggers(command.idempotencyKey, () => run);
    const own = (async () => {
      const known = await set.knownRun(command);
      repeated = known !== null;
      run = known ?? (await set.begin(command));
      items.addOwn(run.orderIds);
      triggers.addOwn(run.triggers?.ids ?? []);
      return run;
    })();
    const isSet = own.then(async (begun) => {
      const brokers = set.brokersToRead(command, begun);
      const watches = triggerSet.listsToRead(command);
      asked = brokers.length + watches.length;
      const [books, lists] = await Promise.all([
        allOf(brokers, (broker) => set.readOf(broker, unread, command)),
        allOf(watches, (watch) => triggerSet.readOf(watch, unread)),
      ]);
      doubts = await doubtsOfBooks(parts, command, books);
      run = await triggerSet.addFromLists(
        command,
        await set.addFromBooks(command, begun, books),
        lists,
      );
      items.addOwn(run.orderIds);
      triggers.addOwn(run.triggers?.ids ?? []);
      for (const { poller, read } of books) items.addExternal(run, poller, read);
      for (const list of lists) triggers.addExternal(run, list);
    });
    const whenDone = () => Promise.all([items.whenDone(), triggers.whenDone()]);
    const done = parts.track(isSet.then(whenDone).then(() => undefined));
    return {
      requestHash: command.requestHash,
      ...{ isSet, done },
      result: () => {
        if (run === null) throw new Error('the orders of a cancel of many are not known yet');
        const { idempotencyKey } = run;
        const ofTriggers = run.triggers === undefined ? null : triggers.all();
        return {
          idempotencyKey,
          repeated,
          items: items.all(),
          triggers: ofTriggers,
          ...{ unread, doubts },
          asked,
        };
      },
    };
  }
}

/** Nothing more is sent while the gateway stops; what was asked for before under the key may have been sent. */
function whileClosing(known: CancelRunRecord | null): GatewayProblem {
  if (known === null) return closingProblem();
  const detail =
    'the gateway is stopping, and the key has cancelled orders before: send the request again under the same key, ' +
    'which cancels only what is open';
  return new GatewayProblem({ code: 'broker_unavailable', detail, mayHaveExecuted: true });
}

/** What is known of a request once all is confirmed, or after ten seconds. */
async function answerOf(parts: CancelAllParts, run: Run): Promise<CancelAllResult> {
  const over = new AbortController();
  const late = sleep(parts.scheduler, ANSWER_MS, over.signal);
  try {
    const confirmed = run.done.then(() => confirm(parts, run));
    await Promise.race([confirmed, Promise.all([late, run.isSet])]);
  } finally {
    over.abort();
  }
  return run.result();
}

/** A row can show a cancel some moments after it was acknowledged. */
async function confirm(parts: CancelAllParts, run: Run): Promise<void> {
  for (const pauseMs of CONFIRM_MS) {
    const open = run.result().items.filter(isOpenItem);
    if (open.length === 0 || parts.closing()) return;
    await sleep(parts.scheduler, pauseMs);
    const reads = [...new Set(open.map(brokerOfItem))].map(async (broker) =>
      parts.poller(broker)?.read(parts.clock.elapsed()),
    );
    await Promise.allSettled(reads);
  }
}

async function allOf<From, To>(
  each: readonly From[],
  read: (one: From) => Promise<readonly To[]>,
): Promise<readonly To[]> {
  return (await Promise.all(each.map(read))).flat();
}
