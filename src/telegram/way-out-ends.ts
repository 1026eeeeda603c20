import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import type { GatewayEvent } from '../events/event-log.ts';
import { accountText, isKeyOfChat } from './words.ts';

const exit = z.object({
  ...{ id: z.string(), clientOrderId: z.string(), status: z.string(), why: z.string().nullable() },
  ...{ detail: z.string(), instrument: z.string(), product: z.string(), broker: z.string() },
  mode: z.enum(MODES),
});
const closing = z.object({
  ...{ id: z.string(), clientOrderId: z.string(), status: z.string(), detail: z.string() },
});

/**
 * How an exit or a closing that was begun from the chat has ended, for a message; null where it has not, where
 * somebody else began it, and where an alert of its own says so: of every end but a good one.
 */
export function endOfWayOut({ type, data }: GatewayEvent): string | null {
  if (type === 'closing.updated') {
    const { success, data: told } = closing.safeParse(data);
    if (!success || !isKeyOfChat(told.clientOrderId) || told.status !== 'flat') return null;
    return `Closing ${told.id} is over: ${told.detail}.`;
  }
  const { success, data: told } = exit.safeParse(data);
  if (!success || !isKeyOfChat(told.clientOrderId)) return null;
  const isTold = told.status === 'flat' || told.why === 'as_asked' || told.why === 'cancelled';
  if (!isTold) return null;
  const what = `${told.instrument} (${told.product}) at ${accountText(told)}`;
  return `Exit ${told.id} of ${what} is over, ${told.status.replace('_', ' ')}: ${told.detail}.`;
}
