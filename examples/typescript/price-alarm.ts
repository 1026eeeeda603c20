import { connect, words } from './connect.ts';
import { followPrices } from './price-socket.ts';

// Tells once when a price is at its level or below it, over WebSocket, and ends when it has told of all:
//   node price-alarm.ts NSE:INFY=1490 NSE:TCS=3100
// A price that is stale raises no alarm, and neither does anything from before a connection was lost.

/** By instrument, as it was written: the level. Those that were told of are not there any more. */
const levels = new Map<string, number>();
for (const word of words()) {
  const [instrument = '', level] = word.split('=');
  if (!(Number(level) > 0))
    throw new Error(`${word}: takes an instrument and a level: NSE:INFY=1490`);
  levels.set(instrument, Number(level));
}
if (levels.size === 0) throw new Error('name at least one instrument and its level: NSE:INFY=1490');
/** How each instrument was written, by the name that prices have. */
const written = new Map<string, string>();

const control = new AbortController();
process.once('SIGINT', () => control.abort());

await followPrices({
  ...{ gateway: connect(), signal: control.signal, instruments: () => [...levels.keys()] },
  onUpdate(update, unsubscribe) {
    switch (update.type) {
      case 'subscribed':
        // An alarm that cannot come must not be waited for.
        for (const why of Object.values(update.refused)) throw new Error(why);
        for (const [text, name] of Object.entries(update.instruments)) {
          const other = written.get(name) ?? text;
          if (other !== text) throw new Error(`${text} and ${other} are the same: name it once`);
          written.set(name, text);
        }
        break;
      case 'feed':
        console.log(`${update.instruments.join(', ')}: ${update.source} of ${update.broker}`);
        break;
      case 'lost':
        console.log('the connection was lost: no price is that of now, until the next one');
        break;
      case 'error':
        // `slow_consumer`, `stopping` and others: the connection ends, and the next one begins with a snapshot.
        console.error(`${update.code}: ${update.message}`);
        break;
      default:
        for (const { instrument, lastPrice, stale } of update.prices) {
          const text = written.get(instrument) ?? instrument;
          const level = levels.get(text);
          // It was unsubscribed from a moment ago.
          if (level === undefined) continue;
          console.log(`${instrument} ${lastPrice}${stale ? ' STALE' : ''}`);
          if (stale || lastPrice > level) continue;
          console.log(`ALARM: ${instrument} is at ${lastPrice}, which is ${level} or below`);
          levels.delete(text);
          unsubscribe(text);
        }
        if (levels.size === 0) control.abort();
    }
  },
});
