/** Mistakes about time, absence and the end of the day; see `PlantedBug`. */
export const BUGS_ABOUT_TIME = [
  {
    name: 'an order is called absent by the clock of this computer alone',
    edits: [
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'const earliest = Math.min(begunAt, localAt, brokerAt, sentAt + since);',
        replace: 'const earliest = begunAt;',
      },
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'if (Math.abs(observation.aheadMs ?? 0) > CLOCKS_USABLE_MS) return;',
        replace: '',
      },
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'sentAt + CLOCK_SKEW_MS + Math.abs(aheadMs ?? 0);',
        replace: 'sentAt + CLOCK_SKEW_MS + 0 * (aheadMs ?? 0);',
      },
      {
        file: 'src/execution/reconcile/broker-clock.ts',
        find: 'begunAt: isOff && told ? plus(begunAt, -ahead) : begunAt,',
        replace: 'begunAt: isOff && told === null ? plus(begunAt, -ahead) : begunAt,',
      },
    ],
  },
  {
    name: 'an order is called absent a quarter of an hour after the close, by any book',
    edits: [
      {
        file: 'src/execution/order/order-day.ts',
        find: 'return later(istTime(day, ALL_SESSIONS_OVER), plus(close, LATE_MARGIN_MS));',
        replace: 'return plus(close, 15 * 60_000);',
      },
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'return latest > sentAt + CLOCK_SKEW_MS + Math.abs(aheadMs ?? 0);',
        replace: 'return latest !== null;',
      },
    ],
  },
  {
    name: 'a clock that is a day behind dates the word that an order is absent',
    edits: [
      {
        file: 'src/execution/reconcile/when-made.ts',
        find: "if (called.at < sentByBroker(placing.attempt)) return whenMade(placing, row) === 'later';",
        replace: "if (called.at < 0) return whenMade(placing, row) === 'later';",
      },
    ],
  },
  {
    name: 'no book is read for what was called absent or disputed',
    edits: [
      {
        file: 'src/execution/reconcile/orders-of-book.ts',
        find: '(order) => lastBookDay(order) >= today,',
        replace: '(order) => order.id === today,',
      },
    ],
  },
  {
    name: 'a day ends by the clock of this computer alone',
    edits: [
      {
        file: 'src/execution/reconcile/broker-clock.ts',
        find: 'return day < own ? day : own;',
        replace: "return day === '' ? day : own;",
      },
    ],
  },
  {
    name: 'an order without a row stays disputed although its day was ended by a wrong clock',
    day: 'night' as const,
    edits: [
      {
        file: 'src/execution/reconcile/reconcile.ts',
        find: '    reopenDayOver(unit, placing);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'a foreign row that vanishes stops all orders for the day',
    edits: [
      {
        file: 'src/execution/reconcile/unread-rows.ts',
        find: 'const FOREIGN_MS = 60_000;',
        replace: 'const FOREIGN_MS = Infinity;',
      },
    ],
  },
  {
    name: 'one malformed row hides the whole book',
    edits: [
      {
        file: 'src/adapters/kit/unread-rows.ts',
        find: 'unread.push({ ...rest(each), reason: messageOf(error) });',
        replace: 'if (unread.push({ ...rest(each), reason: messageOf(error) }) > 0) throw error;',
      },
    ],
  },
  {
    name: 'the day is compared with the book only while something is open',
    edits: [
      {
        file: 'src/execution/reconcile/day-comparison.ts',
        find: 'return hasOrders() ? 0 : null;',
        replace: 'return null;',
      },
    ],
  },
  {
    name: 'the paper account is not asked about a day that has ended',
    edits: [
      {
        file: 'src/execution/reconcile/book-poller.ts',
        find: '    await reader.readEarlier(today);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'a comparison that was made by a clock that was ahead is not made again',
    edits: [
      {
        file: 'src/execution/reconcile/day-comparison.ts',
        find: 'if (last !== null && last > clock.now()) last = null;',
        replace: 'if (last !== null && last > Infinity) last = null;',
      },
    ],
  },
  {
    name: 'no book is read for an order that has ended',
    edits: [
      {
        file: 'src/execution/reconcile/ended-orders.ts',
        find: 'const LATE_MS = 300_000;',
        replace: 'const LATE_MS = 0;',
      },
    ],
  },
  {
    name: 'a row that works again after its end is never believed',
    edits: [
      {
        file: 'src/execution/reconcile/ended-orders.ts',
        find: 'const BELIEVED_AFTER_MS = 5_000;',
        replace: 'const BELIEVED_AFTER_MS = Infinity;',
      },
    ],
  },
  {
    name: 'one row that is dated wrongly moves a read to another day',
    edits: [
      {
        file: 'src/execution/reconcile/broker-clock.ts',
        find: 'return sorted[Math.floor((sorted.length - 1) / 2)] ?? epochMs(-Infinity);',
        replace: 'return sorted.at(-1) ?? epochMs(-Infinity);',
      },
      {
        file: 'src/execution/reconcile/broker-clock.ts',
        find: 'begunAt: isOff && told ? plus(begunAt, -ahead) : begunAt,',
        replace: 'begunAt: isOff ? plus(begunAt, -ahead) : begunAt,',
      },
      // Trades that tell their own day would hide it, and so would those that are known from another.
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: 'tradingDay(at) === order.day ? order.day : day;',
        replace: 'tradingDay(at) === order.day ? day : day;',
      },
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: ': unit.otherDayFillsOf(fill.orderId);',
        replace: ': [];',
      },
    ],
  },
  {
    name: 'an order is dated by the clock of this computer alone',
    edits: [
      {
        file: 'src/execution/submit/place-command.ts',
        find: 'day: tradingDay(pollerOf(trading).now())',
        replace: 'day: tradingDay(clock.now())',
      },
    ],
  },
  {
    name: 'whether an order may leave is not asked again once its connection is open',
    edits: [
      {
        file: 'src/execution/submit/last-look.ts',
        find: "      kept = whyKept() ?? trading.blocked('way_out');\n",
        replace: '',
      },
    ],
  },
  {
    name: 'how long an order has waited is told by the running clock alone',
    edits: [
      {
        file: 'src/platform/clock.ts',
        find: 'Math.max(clock.elapsed() - elapsed, clock.now() - at);',
        replace: 'Math.max(clock.elapsed() - elapsed, -at);',
      },
    ],
  },
  {
    name: 'the time that a connection takes does not make an order late',
    edits: [
      {
        file: 'src/execution/submit/last-look.ts',
        find: 'return lateNow(clock, limits, () => isWayOut(parts, order));',
        replace: 'return null;',
      },
    ],
  },
  {
    name: 'slices leave however long ago the whole order came',
    edits: [
      {
        file: 'src/execution/submit/slices.ts',
        find: 'const limit = { since: command.arrived, withinMs };',
        replace: 'const limit = { since: command.arrived, withinMs: withinMs * Infinity };',
      },
    ],
  },
  {
    name: 'an order leaves although it was cancelled while its connection opened',
    edits: [
      {
        file: 'src/execution/submit/last-look.ts',
        find: 'if (isCancelWanted(record) || state.cancelsNotOnDisk.has(record.id)) {',
        replace: 'if (isCancelWanted(record) && record.id === null) {',
      },
    ],
  },
];
