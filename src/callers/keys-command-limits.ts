import { type KeyLimits, NO_KEY_LIMITS } from './caller.ts';

/** The limits of a key as the command line has them: numbers as they were written. */
export type LimitWords = Readonly<
  Partial<
    Record<
      | 'max-order-value'
      | 'max-order-quantity'
      | 'max-open-orders'
      | 'max-orders-per-minute'
      | 'max-daily-loss',
      string
    >
  >
>;

const MOST_RUPEES = 1_000_000_000_000;
const MOST_COUNT = 999_999_999;

/**
 * The limits that replace all those of a key; what is not named is none. `refused` makes the error for a
 * number that is none, or out of range: the same ranges as those of `PATCH /keys/{id}`.
 */
export function limitsOfWords(
  words: LimitWords,
  refused: (option: string, takes: string) => Error,
): KeyLimits {
  const numberIn = (option: keyof LimitWords, most: number, isWhole: boolean): number | null => {
    const text = words[option];
    if (text === undefined) return null;
    const value = Number(text);
    const isNumber = (isWhole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(text);
    if (isNumber && value >= 1 && value <= most) return value;
    const what = isWhole ? 'a whole number' : 'a number of rupees';
    throw refused(`--${option} ${text}`, `takes ${what} from 1 to ${most}`);
  };
  const rupees = (option: keyof LimitWords) => numberIn(option, MOST_RUPEES, false);
  const count = (option: keyof LimitWords) => numberIn(option, MOST_COUNT, true);
  return {
    ...NO_KEY_LIMITS,
    maxOrderValue: rupees('max-order-value'),
    maxOrderQuantity: { every: count('max-order-quantity'), named: {} },
    maxOpenOrders: { every: count('max-open-orders'), named: {} },
    maxOrdersPerMinute: count('max-orders-per-minute'),
    maxDailyLoss: rupees('max-daily-loss'),
  };
}
