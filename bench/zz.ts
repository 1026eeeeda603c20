import { benchPostbackEvents } from './postback-events.ts';
import { mkdtempSync } from 'node:fs';
await benchPostbackEvents(mkdtempSync('/tmp/zz-'));
process.exit(0);
