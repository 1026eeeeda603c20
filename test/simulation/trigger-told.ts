import { type CallersParts, type Heard, tellProblem } from './call.ts';
import type { ToldTriggerResult } from './http-triggers.ts';

/** What came of a request for a trigger. */
export function tellPlacing(
  parts: CallersParts,
  wanted: string,
  heard: Heard<ToldTriggerResult>,
): void {
  const { world } = parts;
  if (heard.kind === 'answer') return tellTrigger(parts, wanted, heard.value);
  if (heard.kind === 'lost') return world.timeline.note('caller', `${wanted}: connection lost`);
  // At the primary brokerage it is an order; S0 looks at both.
  tellProblem(parts, wanted, heard, { of: 'placing' });
  if (!world.asked.triggers.placed.has(wanted)) return;
  const { call } = heard;
  const { code, mayHaveExecuted = false } = heard.problem.fields;
  const at = world.time.now();
  world.asked.triggers.told.push({ kind: 'problem', at, call, wanted, code, mayHaveExecuted });
}

/** A trigger as an answer shows it. */
export function tellTrigger(
  { world }: CallersParts,
  wanted: string,
  { trigger, says }: ToldTriggerResult,
  isDeletion = false,
): void {
  const { id, status, triggerId, reason } = trigger;
  const text = `${wanted}: told ${status} ${id} (${triggerId ?? '-'})${says === null ? '' : `, ${says}`}`;
  world.timeline.note('caller', reason === null ? text : `${text} (${reason})`);
  const at = world.time.now();
  if (id.startsWith('ord_')) {
    const truth = world.sandbox.primary.order(triggerId ?? '') ?? null;
    const deleted = isDeletion ? says : null;
    world.asked.triggers.stops.push({ at, wanted, status, triggerId, deleted, truth });
    return;
  }
  world.asked.triggers.told.push({ kind: 'trigger', at, wanted, id, status, triggerId });
}
