import { benchExits } from './exits.ts';
import { benchMarket } from './market.ts';
import { benchOrders } from './orders.ts';
import { benchPrimary } from './primary.ts';
import { benchStreams } from './streams.ts';
import { writeResults, type Row } from './results.ts';

/**
 * Measures what the gateway costs, prints it, and writes it to bench/results.json. Figures are for
 * this machine and this run: only what is compared within one run means anything elsewhere.
 */
const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  exits: benchExits,
  market: benchMarket,
  orders: benchOrders,
  primary: benchPrimary,
  streams: benchStreams,
};

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(BENCHES);
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
  rows.push(...(await bench()));
  writeResults(rows);
}
if (rows.some(({ met }) => met === false)) process.exitCode = 1;
