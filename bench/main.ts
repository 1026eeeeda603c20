import { benchOrders } from './orders.ts';
import { benchPrimary } from './primary.ts';

/**
 * Measures what the gateway costs. Figures are for this machine and this run: only what is compared
 * within one run means anything elsewhere.
 */
const BENCHES: Readonly<Record<string, () => Promise<boolean>>> = {
  orders: benchOrders,
  primary: benchPrimary,
};

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(BENCHES);
for (const name of names) {
  const bench = BENCHES[name];
  if (!bench) {
    process.stderr.write(`no bench is named ${name}: ${Object.keys(BENCHES).join(', ')}\n`);
    process.exitCode = 2;
    break;
  }
  if (!(await bench())) process.exitCode = 1;
}
