import { altModule } from '../adapters/alt/module.ts';
import type { BrokerModule } from '../adapters/kit/broker-module.ts';
import { paperModule } from '../adapters/paper/module.ts';
import { primaryModule } from '../adapters/primary/module.ts';

/** The kinds of broker that come with the gateway (docs/adding-a-broker.md). */
export const BROKER_MODULES: readonly BrokerModule[] = [altModule, primaryModule, paperModule];
