import { connect, words } from './connect.ts';

// Reads prices, and how old they are:   node quotes.ts NSE:INFY NSE:TCS

const instruments = words();
if (instruments.length === 0) instruments.push('NSE:INFY', 'NSE:RELIANCE');

const gateway = connect();
const { data, errors, meta } = await gateway.getQuotes({ instruments: instruments.join(',') });

console.log(`from ${meta.broker}, ${meta.ageMs} ms old`);
for (const [instrument, { lastPrice, changePercent }] of Object.entries(data)) {
  const change = changePercent === null ? '' : ` (${changePercent.toFixed(2)} %)`;
  console.log(`${instrument} ${lastPrice}${change}`);
}
// Of several instruments, some can fail alone. One that is not in `data` has no price, which is not a price of 0.
for (const [instrument, problem] of Object.entries(errors ?? {})) {
  console.log(`${instrument} has no price: ${problem}`);
}
