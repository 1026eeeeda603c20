import { newKey } from 'altbroker-gateway/client';
import { connect, option, pause } from './connect.ts';

// Cancels every open order of this key, closes what it holds, and waits until both are over:
//   node exit-everything.ts --broker=paper
// With an admin key, --scope=account is about everything in the account, whoever ordered it.

const broker = option('broker');
const restriction = {
  ...(broker === undefined ? {} : { broker }),
  ...(option('scope') === 'account' ? { scope: 'account' as const } : { scope: 'mine' as const }),
};
const gateway = connect();

// The same key again is about the same orders: so the answer can be asked for until nothing is open.
const key = newKey();
for (;;) {
  const { httpStatus, data } = await gateway.cancelAll({ key, body: restriction });
  if (httpStatus === 200) {
    console.log(`${data.length} open orders: none is open any more`);
    break;
  }
  await pause(1_000);
}

let { data: closing } = await gateway.closeAll({
  key: newKey(),
  // Delivery shares are sold only where they are named.
  body: { ...restriction, ...(option('holdings') === undefined ? {} : { holdings: words() }) },
});
while (closing.status === 'running') {
  await pause(500);
  closing = (await gateway.getClosing({ id: closing.id })).data;
}
for (const { instrument, broker: at, status, reason } of closing.positions) {
  console.log(`${instrument} at ${at}: ${status}${reason === null ? '' : `, ${reason}`}`);
}
console.log(`${closing.status}: ${closing.detail}`);
if (closing.status !== 'flat') process.exitCode = 1;

/** `--holdings=NSE:INFY,NSE:TCS` */
function words(): string[] {
  return (option('holdings') ?? '').split(',');
}
