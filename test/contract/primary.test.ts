import { describeBroker } from './describe-broker.ts';
import { makePrimary, makePrimaryWithRemarks } from './makers.ts';
import { placingTroubles, readTroubles } from './network-troubles.ts';

const primary = {
  marketData: true,
  masterList: true,
  remote: true,
  readTroubles: readTroubles('primary'),
  placingTroubles: placingTroubles('primary'),
};

describeBroker('the primary brokerage', { ...primary, make: makePrimary, echoesTags: false });

describeBroker('the primary brokerage with remarks', {
  ...primary,
  make: makePrimaryWithRemarks,
  echoesTags: true,
  // The same wire: once is enough.
  readTroubles: [],
  placingTroubles: placingTroubles('primary').filter(({ outcome }) => outcome.kind === 'not_sent'),
});
