import type { AccountReport, DayReport, Figure } from '../../../src/domain/day-report.ts';
import { NOW } from './samples.ts';

const figure = (rupees: number, of: Partial<Figure> = {}): Figure => ({
  ...{ rupees, source: 'journal', estimate: false, note: 'of orders of the gateway' },
  ...of,
});

export const ACCOUNT_REPORT: AccountReport = {
  ...{ broker: 'alt', mode: 'live', account: 'AB1234' },
  orders: {
    ...{ placed: 3, filled: 2, partial: 0, cancelled: 0, rejected: 0, notSent: 0, open: 0 },
    ...{ uncertain: 1, disputed: 0 },
  },
  fills: { count: 2, bought: 15_000, sold: 15_120, note: null },
  charges: figure(24.31, { source: 'broker_charges', estimate: true, note: 'computed by alt' }),
  realised: figure(120),
  profit: { rupees: null, source: null, estimate: false, note: 'the account cannot be read' },
  net: { rupees: null, source: null, estimate: false, note: 'needs the profit' },
  uncertainOrders: ['ord_3'],
};

export const DAY_REPORT: DayReport = {
  ...{ day: '2026-11-23', isToday: true, isTradingDay: true, asOf: NOW },
  accounts: [{ ...ACCOUNT_REPORT, elsewhere: null }],
  keys: [{ key: 'admin', accounts: [ACCOUNT_REPORT] }],
  unreadOrders: [],
};
