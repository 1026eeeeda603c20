import type { Instrument } from '../../domain/instrument.ts';
import { momentOf } from '../../platform/clock.ts';
import type { PlaceCommand } from '../submit/place-command.ts';
import type { ExitParts } from './exit-parts.ts';
import { type ExitLeg, type ExitRecord, legKey } from './exit.ts';

/** The order of a leg, as a caller would place it: under a key that names the exit, at its broker alone. */
export function legCommand(
  { poller, clock }: Pick<ExitParts, 'poller' | 'clock'>,
  exit: ExitRecord,
  leg: ExitLeg,
  instrument: Instrument,
): PlaceCommand {
  const { broker, side, product } = exit;
  const trading = poller(broker)?.trading;
  return {
    caller: exit.caller,
    idempotencyKey: legKey(exit.id, leg.number),
    request: {
      instrument: instrument.name,
      ...{ side, product, quantity: leg.quantity, orderType: leg.orderType, price: leg.price },
      ...{ validity: 'DAY', triggerPrice: null, amo: false, tag: null, broker, mode: null },
    },
    instrument,
    written: instrument.name,
    candidates: trading ? [trading] : [],
    route: [broker],
    forcedBy: null,
    isLeg: true,
    account: exit.account ?? null,
    blocked: null,
    arrived: momentOf(clock),
  };
}
