import { z } from 'zod';
import { defineBrokerModule } from '../kit/broker-module.ts';
import { createPaperBroker } from './index.ts';

const settingsSchema = z.object({
  /** Rupees as decimal text. */
  cash: z.string(),
  brokerage: z.string(),
  fills: z.enum(['book', 'last']),
  marketHours: z.enum(['exchange', 'always']),
});

/** The paper account: a ledger on disk that fills orders against the live brokers' prices. */
export const paperModule = defineBrokerModule({
  kind: 'paper',
  mode: 'paper',
  settingsSchema,
  create: ({ settings }, ports) =>
    createPaperBroker({ ...ports, database: ports.openDatabase(), settings }),
});
