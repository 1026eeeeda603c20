import { expect, it } from 'vitest';
import { silentLog } from '../../src/platform/log.ts';
import type { Moment } from '../../src/platform/clock.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { createTools } from '../../src/mcp/tool.ts';
import { TRADING_TOOLS } from '../../src/mcp/trading-tools.ts';
import type { CallContext, Gateway } from '../../src/router/gateway.ts';
import { createRouteInputs } from '../../src/routes/order-schemas.ts';
import { orderRoutes } from '../../src/routes/orders.ts';
import { BUY } from '../path/walk.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const CALLER = { id: 'key_1', name: 'a', scope: 'trade', broker: null, mode: null } as const;

// The key of the call needs the name of the instrument, and that waits for the lists: an order is late by
// the time of its arrival (docs/orders.md, "Nothing is sent late").
it('an order is timed from the call, also while its key waits for the lists of instruments', async () => {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const began: Moment = { at: time.now(), elapsed: time.elapsed() };
  const contexts: CallContext[] = [];
  const gateway = {
    async getInstrument() {
      await time.advance(8_000);
      return { name: 'NSE:INFY' };
    },
    placeOrder(_order: unknown, context: CallContext) {
      contexts.push(context);
      return Promise.reject(new Error('the test ends here'));
    },
  } as unknown as Gateway;
  const inputs = createRouteInputs(['alt', 'paper']);
  const definitions = TRADING_TOOLS.filter(({ name }) => name === 'place_order');
  const [tool] = createTools(
    definitions,
    orderRoutes(gateway, inputs, async () => '0-0'),
  );
  const parts = { gateway, clock: time, log: silentLog, loginUrl: () => null };
  const result = await callTool(tool!, BUY, { caller: CALLER, requestId: 'r' }, parts);
  expect(contexts).toMatchObject([{ caller: 'key_1', arrived: began }]);
  // An error that nobody foresaw leaves open whether the order was placed.
  expect(JSON.stringify(result.content)).toMatch(/IT IS NOT KNOWN.*DO NOT PLACE IT AGAIN/);
});
