import { rupees } from '../../domain/rupees.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { OrderRecord } from '../order/order.ts';
import { exitPrice } from './exit-price.ts';
import { type ExitRun, PATIENCE_MS } from './exit-run.ts';
import type { ExitLeg } from './exit.ts';

/** A better price has to be there for so long: one quote may be wrong, and a new order loses its place in the queue. */
const SURE_MS = 3_000;
/** A leg that stands for so long is told to a person. */
const TELL_MS = 180_000;

/** What is done about a leg that stands at the circuit, where no other price would fill sooner. */
export interface StandingLeg {
  /** How long to wait before the next look, ms; null where another price would fill sooner now. */
  look(leg: ExitLeg, order: OrderRecord): Promise<number | null>;
  /** Whether the leg was to be replaced since another price would fill sooner: it uses up no attempt then. */
  isOvertaken(leg: ExitLeg): boolean;
}

/** Circuits move during the day, and a quote can have a wrong one (docs/spec/exit-prices.md). */
export function createStandingLeg(run: ExitRun): StandingLeg {
  const { parts } = run;
  let overtaken: number | null = null;
  let told: number | null = null;

  async function wouldFillSooner({ quantity, price: now }: ExitLeg): Promise<boolean> {
    const { instrument: name, side, plan } = run.exit();
    const instrument = parts.instruments.byName(name);
    const quote = instrument && (await parts.quoteOf(instrument));
    if (!instrument || !quote || now === null) return false;
    const { attempt } = plan;
    const asked = { side, quantity, instrument, quote, attempt, settings: parts.settings };
    const found = exitPrice({ ...asked, now: parts.clock.now() });
    if (found.kind !== 'limit') return false;
    return side === 'SELL' ? found.price < now : found.price > now;
  }

  /** Once: it may stand there until the close. */
  async function tell({ number, price, at }: ExitLeg, { id }: OrderRecord): Promise<void> {
    const from = { elapsed: parts.clock.elapsed(), at };
    if (told === number || run.waitedFor(`turn of leg ${number}`, from) < TELL_MS) return;
    told = number;
    const exit = run.exit();
    const message =
      `exit ${exit.id} of ${exit.instrument} (${exit.product}) at ${exit.broker}: order ${id} stands at the circuit ` +
      `(${price === null ? 'no price' : rupees(price)}), where nobody trades with it. It keeps its place, and gets a new price ` +
      'once the circuit has moved; end the exit to get out another way';
    const alert = { level: 'warning', message, at: parts.clock.now() } as const;
    await parts.writer.submit((current) => decideAlert(current, alert));
  }

  return {
    async look(leg, order) {
      const what = `better price than that of leg ${leg.number}`;
      if (!(await wouldFillSooner(leg))) {
        run.arrived(what);
        await tell(leg, order);
        return PATIENCE_MS;
      }
      if (run.waitedFor(what) < SURE_MS) return SURE_MS;
      overtaken = leg.number;
      return null;
    },
    isOvertaken: ({ number }) => overtaken === number,
  };
}
