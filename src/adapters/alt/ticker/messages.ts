import { TICK_MODES, type TickMode } from '../../../domain/tick.ts';
import { fieldOf } from '../../../platform/values.ts';

/** Instrument tokens, and the mode of each. */
export type Modes = ReadonlyMap<number, TickMode>;

/** The messages that turn the subscriptions `told` into `wanted` (docs/spec/kite-ticker.md). */
export function changesBetween(told: Modes, wanted: Modes): readonly string[] {
  const gone = [...told.keys()].filter((token) => !wanted.has(token));
  const added = [...wanted.keys()].filter((token) => !told.has(token));
  const changed = [...wanted].filter(([token, mode]) => told.get(token) !== mode);
  const messages: [what: string, value: unknown, tokens: readonly number[]][] = [
    ['unsubscribe', gone, gone],
    ['subscribe', added, added],
    // Every mode is set: the default mode of a subscription is not relied on.
    ...TICK_MODES.map((mode): (typeof messages)[number] => {
      const tokens = changed.filter(([, wish]) => wish === mode).map(([token]) => token);
      return ['mode', [mode, tokens], tokens];
    }),
  ];
  return messages
    .filter(([, , tokens]) => tokens.length > 0)
    .map(([what, value]) => JSON.stringify({ a: what, v: value }));
}

export type TextMessage =
  /** Something happened to an order. The gateway does not use what the message says about it. */
  | { readonly kind: 'order' }
  /** The broker refused one of our messages. */
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'other' };

/** Reads a text message. Never throws. */
export function readText(text: string): TextMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'other' };
  }
  const type = fieldOf(value, 'type');
  if (type === 'order') return { kind: 'order' };
  if (type !== 'error') return { kind: 'other' };
  const data = fieldOf(value, 'data');
  return { kind: 'error', message: typeof data === 'string' ? data.slice(0, 200) : 'no reason' };
}
