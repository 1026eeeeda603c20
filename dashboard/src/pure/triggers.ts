import type { Schemas } from '../../../client/index.ts';
import { numberOf } from './entry.ts';
import { legWords } from './under-way.ts';

export type OwnTrigger = Schemas['Trigger'];

/** What a person can say of a trigger (docs/triggers.md). */
export type TriggerWord = 'placed' | 'absent' | 'filled';

export const OWN_TRIGGER_WORDS: Readonly<Record<OwnTrigger['status'], string>> = {
  sending: 'on its way to the broker',
  waiting: 'waits for its price',
  triggered: 'has placed its order',
  ended: 'over: it places no order any more',
  refused: 'refused by the broker: it was not placed',
  not_sent: 'never sent',
  uncertain: 'not known yet whether the broker has it',
  absent: 'not at the broker, as far as its lists or a person say',
};

/**
 * Which words the gateway takes of it. How much its order has filled is a person's to say only where no list and no book
 * tells it any more: `isFillLost`.
 */
export function wordsFor(
  { status }: Pick<OwnTrigger, 'status'>,
  isFillLost: boolean,
): readonly TriggerWord[] {
  if (status === 'uncertain') return ['placed', 'absent'];
  if (status === 'absent') return ['placed'];
  return isFillLost && (status === 'triggered' || status === 'ended') ? ['filled'] : [];
}

/** `NSE:INFY: SELL 10 CNC at ₹1,450.00 once ₹1,455.00 is reached` */
export const triggerTerms = ({ instrument, legs }: Pick<OwnTrigger, 'instrument' | 'legs'>) =>
  `${instrument}: ${legs.map(legWords).join('; or ')}`;

/** What a person has typed in. */
export interface TriggerAnswer {
  readonly word: TriggerWord | null;
  readonly placed: string;
  readonly isForced: boolean;
  readonly filled: string;
  readonly averagePrice: string;
}

/** The body of the word; null while it is not complete. */
export function resolutionOf({
  word,
  placed,
  isForced,
  filled,
  averagePrice,
}: TriggerAnswer): Schemas['TriggerResolution'] | null {
  switch (word) {
    case null:
      return null;
    case 'absent':
      return { absent: true };
    case 'placed': {
      const id = placed.trim();
      if (id === '') return null;
      return isForced ? { placed: id, force: true } : { placed: id };
    }
    case 'filled': {
      const quantity = numberOf(filled);
      const price = averagePrice.trim() === '' ? undefined : numberOf(averagePrice);
      if (quantity === null || !Number.isInteger(quantity) || price === null) return null;
      return price === undefined || quantity === 0
        ? { filled: quantity }
        : { filled: quantity, averagePrice: price };
    }
  }
}

/** What was said, for people. */
export function resolutionWords(terms: string, body: Schemas['TriggerResolution']): string {
  const { placed, filled } = body as { placed?: string; filled?: number };
  const what =
    filled !== undefined
      ? `its order has filled ${filled}`
      : placed === undefined
        ? 'the broker does not have it'
        : `the broker has it as ${placed}`;
  return `Resolve the trigger ${terms}: ${what}`;
}
