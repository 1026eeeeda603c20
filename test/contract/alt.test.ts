import { describeBroker } from './describe-broker.ts';
import { makeAlt } from './makers.ts';
import { placingTroubles, readTroubles, timedOutWith400 } from './network-troubles.ts';

describeBroker('the alternative broker', {
  make: makeAlt,
  marketData: true,
  masterList: true,
  remote: true,
  echoesTags: true,
  readTroubles: readTroubles('kite'),
  placingTroubles: [...placingTroubles('kite'), timedOutWith400],
});
