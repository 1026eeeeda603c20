import type { Outcome } from '../domain/outcome.ts';
import { type CancelAllParts, createCancelAll } from './cancel-all/cancel-all.ts';
import { createDeleteExternal } from './cancel-all/delete-external.ts';
import { createClosings } from './closings/closings.ts';
import type { ExitParts, ExitSettings } from './exits/exit-parts.ts';
import { createExits } from './exits/exits.ts';
import {
  type ChangeExternalParts,
  createExternalChanges,
  type ExternalCommand,
} from './external/change-external.ts';
import type { ExternalChange } from './external/send-external.ts';
import type { Amend } from './submit/amend.ts';
import type { Submit } from './submit/submit.ts';

type WaysOutParts = Omit<
  ExitParts & CancelAllParts & ChangeExternalParts,
  'settings' | 'place' | 'cancel' | 'cancelExternal' | 'deleteExternal' | 'track'
>;

/** Exits, cancels of many orders, and changes of orders placed elsewhere. */
export function createWaysOut(
  parts: WaysOutParts,
  {
    exitSettings,
    track,
    place,
    amend,
  }: {
    readonly exitSettings: ExitSettings;
    readonly track: WorkUnderWay['track'];
    readonly place: Submit['place'];
    readonly amend: Amend['amend'];
  },
) {
  const { sendExternal, changeExternal } = createExternalChanges(parts);
  const deleteExternal = createDeleteExternal(parts);
  const cancelExternal = async (of: ExternalChange): Promise<Outcome> =>
    (await track(sendExternal(of))).outcome;
  const exitParts: ExitParts = {
    ...{ ...parts, cancelExternal, settings: exitSettings },
    deleteExternal: (asked, deletion) => track(deleteExternal(asked, deletion)),
    place: (command) => track(place(command)),
    cancel: (orderId, by) => track(amend(orderId, null, null, by)),
  };
  const exits = createExits(exitParts);
  const cancelAll = createCancelAll({
    ...{ ...parts, track, cancelExternal },
    cancel: (orderId, key, by) => track(amend(orderId, null, key, by)),
  });
  return {
    ...{ exits, closings: createClosings(exitParts, exits), cancelAll },
    changeExternal: (command: ExternalCommand) => track(changeExternal(command)),
  };
}

export type WorkUnderWay = ReturnType<typeof createWorkUnderWay>;

/** Work that has to end before the journal may be closed. */
export function createWorkUnderWay() {
  const underWay = new Set<Promise<void>>();
  return {
    track<T>(work: Promise<T>): Promise<T> {
      const forget = (): void => void underWay.delete(done);
      const done: Promise<void> = work.then(forget, forget);
      underWay.add(done);
      return work;
    },
    /** What comes meanwhile is waited for as well: no more is begun by then. */
    async whenDone() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
