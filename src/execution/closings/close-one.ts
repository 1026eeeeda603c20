import type { ClosingPosition, ClosingStatus } from '../../domain/closing.ts';
import { PRODUCTS, type Product } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { CommitError } from '../../platform/single-writer.ts';
import type { ClosingId, ExitId } from '../../units/branded.ts';
import type { ExitParts } from '../exits/exit-parts.ts';
import { pause } from '../exits/exit-run.ts';
import type { ExitOver } from '../exits/exit.ts';
import type { Exits } from '../exits/exits.ts';
import { required } from '../journal/state.ts';
import { type ClosingRecord, exitKey } from './closing.ts';
import { decideClosing } from './decide-closing.ts';

const AGAIN_MS = 1_000;
/** How often an exit is begun again that could not be begun, such as on a full disk. */
const TRIES = 20;
/** Of an exit that was quarantined at a start, or has left memory since. */
const EXIT_IS_GONE =
  "its exit cannot be read from the journal any more, and sends nothing: look at the position in the broker's app";

/** One position of a closing: its exit, and what is written of it. */
export interface CloseOne {
  /** Resolves once the position's exit is over, and that is written. */
  closeOne(id: ClosingId, place: number): Promise<void>;
  positionAt(id: ClosingId, place: number): ClosingPosition;
  note(
    id: ClosingId,
    place: number,
    status: ClosingStatus,
    reason: string | null,
    exitId?: ExitId | null,
  ): Promise<void>;
}

export function createCloseOne(parts: ExitParts, exits: Pick<Exits, 'begin' | 'cancel'>): CloseOne {
  const { writer, clock } = parts;
  const { state } = writer;
  const closingNow = (id: ClosingId): ClosingRecord => required(state.closings, id, 'closing');

  function positionAt(id: ClosingId, place: number): ClosingPosition {
    const position = closingNow(id).positions[place];
    if (!position) throw new Error(`closing ${id} has no position ${place}`);
    return position;
  }

  /** Begins the exit of a position, or finds the one that a process before has begun, and waits for its end. */
  async function closeOne(id: ClosingId, place: number): Promise<void> {
    const exitId = await beginExit(id, place);
    if (exitId === null) return;
    for (;;) {
      if (parts.closing()) return;
      const exit = state.exits.get(exitId);
      if (exit === undefined) return note(id, place, 'stopped', EXIT_IS_GONE);
      if (exit.over) return note(id, place, statusOf(exit.over), reasonOf(exit.over));
      if (closingNow(id).isCancelWanted && !exit.isCancelWanted) await cancelExit(exitId);
      await parts.changed.wait(AGAIN_MS);
    }
  }

  async function beginExit(id: ClosingId, place: number): Promise<ExitId | null> {
    const { exitId } = positionAt(id, place);
    if (exitId !== null) return exitId;
    let why = 'the gateway is stopping';
    for (let attempt = 0; attempt < TRIES && !parts.closing(); attempt += 1) {
      if (closingNow(id).isCancelWanted) {
        await note(id, place, 'kept', 'a caller has ended the closing');
        return null;
      }
      try {
        const begun = await exits.begin(exitCommand(id, place));
        await note(id, place, 'running', null, begun.exit.id);
        return begun.exit.id;
      } catch (error) {
        if (!(error instanceof GatewayProblem || error instanceof CommitError)) throw error;
        why = error instanceof GatewayProblem ? error.fields.detail : 'the disk takes nothing now';
        await pause(parts, AGAIN_MS);
      }
    }
    if (!parts.closing()) await note(id, place, 'stopped', why);
    return null;
  }

  function exitCommand(id: ClosingId, place: number): Parameters<Exits['begin']>[0] {
    const { broker, instrument, product, quantity } = positionAt(id, place);
    const trading = parts.poller(broker)?.trading;
    if (!trading)
      throw new GatewayProblem({ code: 'no_broker', detail: `${broker} is not set up` });
    const { caller, accounts = [], filledBefore = [] } = closingNow(id);
    const before = filledBefore[place] ?? null;
    const account = accounts.find((each) => each.broker === broker)?.account ?? null;
    return {
      ...{ caller, idempotencyKey: exitKey(id, place), trading, instrument, account },
      ...{ product: productNamed(product), quantity, orderId: null },
      ...(before === null ? {} : { filledBefore: before }),
    };
  }

  async function cancelExit(exitId: ExitId): Promise<void> {
    await exits.cancel(exitId).catch((error: unknown) => {
      if (!(error instanceof GatewayProblem)) throw error;
    });
  }

  async function note(
    id: ClosingId,
    place: number,
    status: ClosingStatus,
    reason: string | null,
    exitId: ExitId | null = positionAt(id, place).exitId,
  ): Promise<void> {
    await parts.commitRetry.commit((current) =>
      decideClosing(current, {
        id,
        at: clock.now(),
        change: ({ positions }) => ({
          positions: positions.map((each, index) =>
            index === place ? { ...each, status, reason, exitId } : each,
          ),
        }),
      }),
    );
    parts.changed.notify();
  }

  return { closeOne, positionAt, note };
}

/** What was asked for has been closed also where the account holds more of it. */
const statusOf = ({ end, why }: ExitOver): ClosingStatus => (why === 'as_asked' ? 'flat' : end);
const reasonOf = ({ why, detail }: ExitOver): string | null =>
  why === null || why === 'as_asked' ? null : detail;

function productNamed(product: string): Product {
  const found = PRODUCTS.find((each) => each === product);
  if (found === undefined) throw new Error(`no order can have the product ${product}`);
  return found;
}
