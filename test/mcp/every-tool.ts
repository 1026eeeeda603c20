import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { fieldOf } from '../../src/platform/values.ts';
import { LEG, STOP } from '../path/trigger-walk.ts';
import { RESTING } from '../path/walk.ts';
import type { Rig } from '../support/rig.ts';
import type { Assistant } from './assistant.ts';

export const dataOf = (result: CallToolResult): unknown =>
  fieldOf(result.structuredContent, 'data');
export const idOf = (result: CallToolResult): string => String(fieldOf(dataOf(result), 'id'));

type Arguments = Record<string, unknown>;
const INFY = { instruments: ['NSE:INFY'] };
const NIFTY = { underlying: 'NSE:NIFTY 50' };

/** What reads without an id, and what it is asked. */
const READS: readonly (readonly [name: string, args: Arguments])[] = [
  ['get_quotes', INFY],
  ['get_ltp', INFY],
  ['get_ohlc', INFY],
  [
    'get_candles',
    {
      instrument: 'NSE:INFY',
      interval: '5minute',
      from: '2026-11-05T09:15',
      to: '2026-11-05T10:00',
    },
  ],
  ['get_option_chain', { ...NIFTY, strikes: 2 }],
  ['get_expiries', NIFTY],
  ['search_instruments', { q: 'infy', limit: 5 }],
  ['get_instrument', { instrument: 'NSE:INFY' }],
  ['get_calendar', {}],
  ['get_positions', { list: 'net' }],
  ['get_holdings', {}],
  ['get_funds', {}],
  ['get_profile', {}],
  ['get_margins', { orders: [RESTING] }],
  ['get_contract_note', {}],
  ['get_orders', { status: 'open', limit: 10 }],
  ['get_trades', {}],
  ['get_triggers', {}],
  ['get_exits', {}],
  ['get_kill_switch', {}],
  ['get_brokers', {}],
  ['get_limits', {}],
  ['get_login_link', {}],
];

/**
 * Calls every tool once, in an order in which each has something to work on; `price` tells the runs of
 * one day apart. The client checks each answer against the schema that the tool states. Answers the name of
 * each tool with its result.
 */
export async function callEveryTool(
  rig: Rig,
  assistant: Assistant,
  price: number,
): Promise<ReadonlyMap<string, CallToolResult>> {
  const results = new Map<string, CallToolResult>();
  const call = async (name: string, args: Arguments): Promise<CallToolResult> => {
    const result = await assistant.call(name, args);
    results.set(name, result);
    return result;
  };
  for (const [name, args] of READS) await call(name, args);
  const id = idOf(await call('place_order', { ...RESTING, price, broker: 'alt' }));
  await rig.time.advance(2_000);
  await call('get_order', { id });
  await call('get_order_fills', { id });
  await call('get_order_history', { id });
  await call('modify_order', { id, price: price - 1 });
  await rig.time.advance(2_000);
  await call('cancel_order', { id });
  await rig.time.advance(2_000);
  await call('cancel_all_orders', { instrument: 'NSE:INFY' });
  const wanted = { ...LEG, triggerPrice: price - 20, price: price - 21 };
  const trigger = { ...STOP, legs: [wanted] };
  const triggerId = { id: idOf(await call('place_trigger', trigger)) };
  await rig.time.advance(2_000);
  await call('get_trigger', triggerId);
  await call('modify_trigger', { ...triggerId, legs: [{ price: price - 22 }] });
  await rig.time.advance(2_000);
  await call('delete_trigger', triggerId);
  await rig.time.advance(5_000);
  const held = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };
  const exit = { id: idOf(await call('exit_position', { ...held, quantity: 5 })) };
  await call('get_exit', exit);
  await call('end_exit', exit);
  await rig.time.advance(20_000);
  const closing = { id: idOf(await call('close_all_positions', { broker: 'alt' })) };
  await call('get_closing', closing);
  await call('end_closing', closing);
  await rig.time.advance(20_000);
  await call('engage_kill_switch', { reason: 'a test' });
  await rig.post('/api/v1/kill-switch', { engaged: false, reason: 'the test goes on' });
  return results;
}
