/** A stretch of time, epoch ms. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
}

/** When what happens on a day that is played. Epoch ms; written in IST. */
export interface Hours {
  readonly boot: number;
  /** Orders are after-market ones: taken while the exchange is shut, sent to it at its opening. */
  readonly afterMarket: boolean;
  /** When callers place their orders, a share in each stretch. */
  readonly placing: readonly Stretch[];
  /** When things go wrong; a fault may last until the end of the last one. */
  readonly trouble: readonly Stretch[];
  /** When callers have ended what they still have resting; null where the close does. */
  readonly cleared: Stretch | null;
  /** When nobody looks at a screen. */
  readonly asleep: Stretch | null;
  /** A person settles what is disputed, on the last day. */
  readonly evening: number;
  /** The same on the days before the last. */
  readonly evenings: readonly number[];
  /** When the exchange closes, where it is not at 15:30; nobody has told the gateway. */
  readonly closes?: Readonly<Record<string, number>>;
  /** When the exchange halts: nothing is traded meanwhile. */
  readonly halt?: Stretch;
  /** The books are gone, and a gateway that looks every five minutes has noticed. */
  readonly end: number;
}

export type DayKind = 'session' | 'night' | 'stretch';
export const DAY_KINDS: readonly DayKind[] = ['session', 'night', 'stretch'];

export const at = (day: number, time: string): number =>
  Date.parse(`2026-11-${String(day).padStart(2, '0')}T${time}+05:30`);

export const stretch = (day: number, from: string, until: string): Stretch => ({
  from: at(day, from),
  until: at(day, until),
});

/** Wednesday 4 to Friday 6 November 2026: ordinary trading days. */
export const HOURS: Readonly<Record<DayKind, Hours>> = {
  /** An afternoon of trading, through the close and until the books are gone. */
  session: {
    boot: at(6, '14:58:00'),
    afterMarket: false,
    placing: [stretch(6, '15:00:00', '15:22:00')],
    trouble: [stretch(6, '14:59:40', '15:25:00')],
    cleared: null,
    asleep: null,
    evening: at(6, '16:10:00'),
    evenings: [],
    end: at(7, '06:06:00'),
  },
  /** An evening, the night in which the books turn, a morning, the opening and the session after it. */
  night: {
    boot: at(5, '19:58:00'),
    afterMarket: true,
    placing: [stretch(5, '20:00:00', '20:12:00'), stretch(6, '08:36:00', '08:46:00')],
    trouble: [
      stretch(5, '19:59:40', '20:16:00'),
      stretch(6, '05:58:00', '06:03:00'),
      stretch(6, '08:35:40', '08:48:00'),
      stretch(6, '09:14:00', '09:30:00'),
    ],
    cleared: stretch(6, '09:32:00', '10:00:00'),
    asleep: { from: at(5, '21:00:00'), until: at(6, '08:25:00') },
    evening: at(6, '16:10:00'),
    evenings: [],
    end: at(7, '06:06:00'),
  },
  /** Three sessions in a row, with what is held carried over from each to the next. */
  stretch: {
    boot: at(4, '14:58:00'),
    afterMarket: false,
    placing: [
      stretch(4, '15:00:00', '15:20:00'),
      stretch(5, '09:20:00', '09:35:00'),
      stretch(6, '15:00:00', '15:20:00'),
    ],
    trouble: [
      stretch(4, '14:59:40', '15:23:00'),
      stretch(5, '05:58:00', '06:03:00'),
      stretch(5, '09:14:00', '09:38:00'),
      stretch(6, '14:59:40', '15:23:00'),
    ],
    cleared: null,
    asleep: { from: at(4, '21:00:00'), until: at(5, '08:25:00') },
    evening: at(6, '16:10:00'),
    evenings: [at(4, '16:10:00'), at(5, '16:10:00')],
    end: at(7, '06:06:00'),
  },
};

const DAY_MS = 24 * 3_600_000;

/** The same hours on the day on which the options of November expire: Monday the 23rd, the 24th being a holiday. */
export function onExpiryDay(hours: Hours): Hours {
  const later = (time: number): number => time + 17 * DAY_MS;
  const moved = ({ from, until }: Stretch): Stretch => ({ from: later(from), until: later(until) });
  const { boot, placing, trouble, evening, evenings, end } = hours;
  return {
    ...hours,
    ...{ boot: later(boot), evening: later(evening), end: later(end) },
    ...{ placing: placing.map(moved), trouble: trouble.map(moved), evenings: evenings.map(later) },
  };
}
