import { istIso } from '../domain/ist.ts';
import type { KeyLimits, KeyRecord } from './caller.ts';

/** A key as it is printed. */
export type Shown = Pick<KeyRecord, 'id' | 'name' | 'scope' | 'broker' | 'mode' | 'limits'> & {
  readonly stopped: { readonly reason: string } | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
};
/** With the key itself where it was made now. */
export type Made = Shown & { readonly key?: string };

export const shownKey = (key: KeyRecord): Shown => ({
  ...{ id: key.id, name: key.name, scope: key.scope, broker: key.broker, mode: key.mode },
  ...{ limits: key.limits, stopped: key.stopped, createdAt: istIso(key.createdAt) },
  revokedAt: key.revokedAt === null ? null : istIso(key.revokedAt),
});

const DONE = {
  ...{ add: 'added', rotate: 'rotated', revoke: 'revoked' },
  ...{ stop: 'stopped', release: 'released', limits: 'limits changed' },
};

/** What is printed of the keys that a command has listed or changed. */
export function printedKeys(
  { action, json }: { readonly action: keyof typeof DONE | 'list'; readonly json?: true },
  keys: readonly Made[],
  dataDirectory: string,
): string {
  if (json) {
    const shown = keys.map(jsonOf);
    return JSON.stringify({ data: action === 'list' ? shown : shown[0] }, null, 2);
  }
  if (keys.length === 0) {
    return (
      `${dataDirectory} has no keys yet: the first start of the gateway makes the admin key, and keys add makes others. ` +
      'If the gateway has another data directory, set APP_DATA_DIR'
    );
  }
  if (action === 'list') return keys.map(lineOf).join('\n');
  const [made] = keys;
  if (!made) return '';
  const done = DONE[action];
  const line = `${done}: ${lineOf(made)}`;
  if (made.key === undefined) return line;
  return `${line}\nThe key, shown this once, since only its hash is stored:\n${made.key}`;
}

/** The same members, whether a gateway that runs has told them or the file of keys. */
function jsonOf({ id, name, scope, broker, mode, limits, stopped, ...rest }: Made) {
  const { createdAt, revokedAt, key } = rest;
  return {
    ...{ id, name, scope, broker, mode, limits },
    stopped: stopped && { reason: stopped.reason },
    ...{ createdAt, revokedAt },
    ...(key === undefined ? {} : { key }),
  };
}

function lineOf({ id, name, scope, broker, mode, createdAt, ...rest }: Shown): string {
  const { revokedAt, stopped, limits } = rest;
  const confined = [broker, broker === null ? mode : null].filter((each) => each !== null);
  const words = [scope, ...(confined.length === 0 ? [] : [`${confined.join(' ')} only`])];
  const end = revokedAt === null ? `since ${createdAt}` : `revoked at ${revokedAt}`;
  const most = limitsText(limits);
  return [
    `${id}  ${name}  ${words.join(', ')}, ${end}`,
    ...(stopped === null ? [] : [`stopped: ${stopped.reason}`]),
    ...(most === null ? [] : [`limits: ${most}`]),
  ].join('; ');
}

/** The limits that are set, for people; null for none. */
function limitsText({
  maxOrderValue,
  maxOrderQuantity,
  maxOpenOrders,
  maxOrdersPerMinute,
  maxDailyLoss,
}: KeyLimits): string | null {
  const named = (limit: KeyLimits['maxOpenOrders']): string =>
    [
      ...(limit.every === null ? [] : [String(limit.every)]),
      ...Object.entries(limit.named).map(([name, most]) => `${name}=${most}`),
    ].join(',');
  const parts = [
    ['order value', maxOrderValue ?? ''],
    ['order quantity', named(maxOrderQuantity)],
    ['open orders', named(maxOpenOrders)],
    ['orders per minute', maxOrdersPerMinute ?? ''],
    ['daily loss', maxDailyLoss ?? ''],
  ].filter(([, most]) => most !== '');
  return parts.length === 0 ? null : parts.map(([what, most]) => `${what} ${most}`).join(', ');
}
