import { z } from 'zod';
import { call, type CallersParts } from './call.ts';
import { LIST_ASKED } from './trigger-traffic.ts';

const listAnswer = z.object({
  data: z.array(z.object({ id: z.string().nullable(), triggerId: z.string().nullable() })),
  meta: z.object({ broker: z.string() }),
});

/** A program reads the list of triggers of the account of the route. */
export async function readTriggerList({ world }: CallersParts, wanted: string): Promise<void> {
  const askedAt = world.time.now();
  const heard = await call(world, `${wanted}${LIST_ASKED}`, (gateway) => gateway.getTriggers());
  if (heard.kind !== 'answer') return;
  const { data, meta } = listAnswer.parse(heard.value);
  if (meta.broker !== 'primary') return;
  const waiting = world.sandbox.primary
    .orders()
    .filter(({ phase }) => phase === 'trigger_pending')
    .map(({ orderId }) => orderId);
  const listed = new Map(data.map(({ triggerId, id }) => [triggerId ?? '', id]));
  world.asked.triggers.stopLists.push({ askedAt, at: world.time.now(), listed, waiting });
}
