import type { Mode } from './broker.ts';

/** The fields of an order that a template fills in, by the names of `POST /orders`. */
export const TEXT_FIELDS = [
  ...(['instrument', 'side', 'orderType', 'product', 'validity', 'tag', 'broker'] as const),
] as const;
export const NUMBER_FIELDS = ['quantity', 'price', 'triggerPrice'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
export type NumberField = (typeof NUMBER_FIELDS)[number];

/** How the body of an alert becomes orders (docs/signals.md, "The template"). */
export interface SignalTemplate {
  /** What tells one alert from another, and a repeat from a new one; names a field of the alert. */
  readonly id: string;
  /** The alert's own time; null where it is not looked at. */
  readonly time: string | null;
  /** The form of a body of plain text, `{action} {ticker} {quantity}`; null for JSON. */
  readonly text: string | null;
  /** Fields that are lists of one length: there is an order for each place in them. */
  readonly forEach: readonly string[];
  readonly order: Readonly<Partial<Record<TextField, string>>> &
    Readonly<Partial<Record<NumberField, string | number>>>;
  /** What words of the alert stand for, by the field of the order; in any case of letters. */
  readonly words: Readonly<Partial<Record<TextField, Readonly<Record<string, string>>>>>;
  /** Shares or units of one order; null where the quantity is no part of the alert. */
  readonly maxQuantity: number | null;
}

/** An address of this gateway at which another program posts alerts (docs/signals.md). */
export interface Hook {
  /** `hook_…` */
  readonly id: string;
  readonly name: string;
  /** The id of the key whose orders they are. */
  readonly key: string;
  readonly mode: Mode;
  readonly template: SignalTemplate;
  /** Addresses and networks that may post; null for any. */
  readonly addresses: readonly string[] | null;
  /** Alerts whose own time is longer ago are refused; null for none. */
  readonly maxAgeSeconds: number | null;
}
