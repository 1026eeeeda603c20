import type { Schemas } from '../../../client/index.ts';

/** `open`: not known yet whether it was done. `refused`: known to have changed nothing. */
export interface Outcome {
  readonly kind: 'done' | 'open' | 'refused';
  readonly words: string;
  /** The lines of an answer for many orders. */
  readonly items?: readonly string[];
}

/** A closing as it begins: each position, and each row that cannot be read and so stays open. */
export function closingOutcome({
  detail,
  positions,
  unread,
}: Pick<Schemas['Closing'], 'detail' | 'positions' | 'unread'>): Outcome {
  const items = [
    ...positions.map(
      ({ instrument, product, status, reason }) =>
        `${instrument} ${product}: ${status.replace('_', ' ')}${reason === null ? '' : ` (${reason})`}`,
    ),
    ...unread.map(({ broker, list, instrument, product, reason }) => {
      const row = [instrument ?? 'an instrument that cannot be read', product ?? '']
        .join(' ')
        .trim();
      return `${row}: not closed, since its row in the ${list} at ${broker} cannot be read (${reason}). Look at it in the app of ${broker}.`;
    }),
  ];
  return { kind: 'done', words: `The closing has begun: ${detail}.`, items };
}
