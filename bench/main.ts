import { benchExits } from './exits.ts';
import { benchMarket } from './market.ts';
import { benchOrders } from './orders.ts';
import { benchPrimary } from './primary.ts';
import { benchStreams } from './streams.ts';
import { writeReport } from './report.ts';
import { isMachineBusy, writeResults, type Row } from './results.ts';

/**
 * Measures what the gateway costs, prints it, and writes it to bench/results.json. Figures are for
 * this machine and this run: only what is compared within one run means anything elsewhere. `report` measures
 * nothing: it writes the figures of the file into docs/performance.md.
 */
const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  exits: benchExits,
  market: benchMarket,
  orders: benchOrders,
  primary: benchPrimary,
  streams: benchStreams,
};

const words = process.argv.slice(2);
const isReport = words.includes('report');
const wanted = words.filter((word) => word !== 'report');
const names = wanted.length > 0 || isReport ? wanted : Object.keys(BENCHES);
const rows: Row[] = [];
for (const name of names) {
  const bench = BENCHES[name];
  if (!bench) {
    process.stderr.write(
      `no bench is named ${name}; there are ${Object.keys(BENCHES).join(', ')}\n`,
    );
    process.exitCode = 2;
    break;
  }
  const busy = isMachineBusy();
  const measured = await bench();
  rows.push(...measured);
  writeResults(name, measured, busy);
}
if (isReport) await writeReport();
if (rows.some(({ met }) => met === false)) process.exitCode = 1;
