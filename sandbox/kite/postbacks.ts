import type { ChangeCause, ManagedOrder } from '../exchange/managed-order.ts';
import type { FaultSource } from '../kernel/faults.ts';
import { numberOf } from '../kernel/faults.ts';
import type { SandboxClock, SandboxRandom } from '../kernel/ports.ts';
import { drawBetween } from '../kernel/ports.ts';
import type { KiteSettings } from '../kernel/settings.ts';
import type { WireRequest } from '../kernel/wire.ts';
import { kiteOrderRow, kiteStatus } from './order-rows.ts';
import { sha256 } from './session.ts';

/** One postback that the sandbox sent. */
export interface SentPostback {
  at: number;
  orderId: string;
  status: string;
  forged: boolean;
  body: string;
}

export interface PostbackSettings {
  settings: KiteSettings;
  clock: SandboxClock;
  random: SandboxRandom;
  source: FaultSource;
  delayMs: readonly [number, number];
  post(request: WireRequest): void;
  sent: SentPostback[];
}

/** Fields of order rows that a postback lacks. */
const absent = new Set(['tags', 'modified', 'validity_ttl']);

/** Kite reports ends and updates; it reports neither placements nor after-market orders. */
function statusToTell(order: ManagedOrder, cause: ChangeCause): string | null {
  if (order.placedBy !== 'api' || order.extras['variety'] === 'amo') return null;
  const status = kiteStatus(order);
  if (status === 'COMPLETE' || status === 'CANCELLED' || status === 'REJECTED') return status;
  return cause === 'fill' || cause === 'modified' ? 'UPDATE' : null;
}

/** Sends the postbacks that Kite would send, with the active faults. */
export function createPostbacks(
  parts: PostbackSettings,
): (order: ManagedOrder, cause: ChangeCause) => void {
  const { settings, clock, random, source } = parts;

  function payload(order: ManagedOrder, status: string): Record<string, unknown> {
    const row = kiteOrderRow(order, settings.userId, settings.noExchangeId ?? null);
    const rest = Object.fromEntries(Object.entries(row).filter(([name]) => !absent.has(name)));
    const stamped = `${order.orderId}${String(row['order_timestamp'])}${settings.apiSecret}`;
    return {
      user_id: settings.userId,
      unfilled_quantity: order.quantity - order.filled,
      app_id: 1,
      checksum: sha256(stamped),
      ...rest,
      status,
    };
  }

  function send(waitMs: number, value: Record<string, unknown>, forged = false): void {
    const url = settings.postbackUrl;
    if (url === null) return;
    const body = JSON.stringify(value);
    clock.after(waitMs, () => {
      const [orderId, status] = [String(value['order_id']), String(value['status'])];
      parts.sent.push({ at: clock.now(), orderId, status, forged, body });
      parts.post({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body });
    });
  }

  function forge(value: Record<string, unknown>, mode: string): Record<string, unknown> {
    if (mode === 'wrong_checksum') return { ...value, checksum: sha256('forged') };
    const says = value['status'] === 'COMPLETE' ? 'CANCELLED' : 'COMPLETE';
    return { ...value, status: says, filled_quantity: says === 'COMPLETE' ? value['quantity'] : 0 };
  }

  return (order, cause) => {
    const status = statusToTell(order, cause);
    if (status === null || settings.postbackUrl === null) return;
    const value = payload(order, status);
    const wait = drawBetween(random, parts.delayMs[0], parts.delayMs[1]);
    const forged = source.strike('kite', ['postback_forged'], null);
    if (forged) {
      const mode =
        forged.params?.['mode'] ?? (forged.hits % 2 === 1 ? 'wrong_checksum' : 'replayed');
      send(wait, forge(value, String(mode)), true);
    }
    if (source.strike('kite', ['postback_lost'], null)) return;
    const late = source.strike('kite', ['postback_reordered'], null);
    send(wait + (late ? numberOf(late, 'delayMs', 3_000) : 0), value);
    if (source.strike('kite', ['postback_doubled'], null)) send(wait * 2 + 1, value);
  };
}
