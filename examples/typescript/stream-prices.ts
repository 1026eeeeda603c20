import { connect, option, words } from './connect.ts';

// Shows prices as they come, for some seconds:   node stream-prices.ts NSE:INFY NSE:TCS --seconds=10

const instruments = words();
if (instruments.length === 0) instruments.push('NSE:INFY', 'NSE:RELIANCE');
const control = new AbortController();
setTimeout(() => control.abort(), Number(option('seconds') ?? 30) * 1_000);

const { signal } = control;
for await (const update of connect().prices({ instruments, mode: 'quote', signal })) {
  switch (update.type) {
    case 'subscribed':
      for (const [instrument, why] of Object.entries(update.refused)) {
        console.log(`${instrument} is refused: ${why}`);
      }
      break;
    case 'feed':
      console.log(`${update.instruments.join(', ')}: ${update.source} of ${update.broker}`);
      break;
    case 'lost':
      // A strategy would stop here: what it knows is not the price of now any more.
      console.log('the connection was lost');
      break;
    default:
      for (const { instrument, lastPrice, stale, receivedAt } of update.prices) {
        console.log(`${instrument} ${lastPrice}${stale ? ` STALE, of ${receivedAt}` : ''}`);
      }
  }
}
