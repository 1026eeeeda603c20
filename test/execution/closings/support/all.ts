import type { ClosingCommand } from '../../../../src/execution/closings/new-closing.ts';

/** Every position of one account. */
export const ALL: ClosingCommand = {
  ...{ caller: 'someone', idempotencyKey: null, brokers: ['alt'], scope: 'account' },
  ...{ instrument: null, product: null, side: null, holdings: [], includeUndelivered: false },
};
