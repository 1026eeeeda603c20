import { type Demo, startDemo } from '../../sandbox/demo/demo.ts';
import { reservePort } from './reserve-port.ts';

/** The demo as `npm run demo` starts it, on free ports. `lines` gets what it tells the person at the terminal. */
export async function startRealDemo(lines: string[] = []): Promise<Demo> {
  // A start after a kill takes the same port again, and Kite is told of it before there is a gateway.
  const [gateway, postback] = [await reservePort(), await reservePort()];
  await Promise.all([gateway.free(), postback.free()]);
  return startDemo({
    ports: { gateway: gateway.port, postback: postback.port, kite: 0, primary: 0, control: 0 },
    further: { APP_LOG_LEVEL: 'silent' },
    environment: { ...process.env },
    tell: (line) => void lines.push(line),
  });
}
