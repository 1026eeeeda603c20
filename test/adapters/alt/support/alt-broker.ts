import { createAltBroker, type AltBroker } from '../../../../src/adapters/alt/index.ts';
import type { Instrument } from '../../../../src/domain/instrument.ts';
import type { OrderTerms, PlaceAttempt } from '../../../../src/domain/order.ts';
import { BrokerError, type BrokerFailure } from '../../../../src/domain/outcome.ts';
import type { HttpReply, HttpRequest } from '../../../../src/platform/http.ts';
import { silentLog, type Log } from '../../../../src/platform/log.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { scriptedTransport, type ScriptedTransport } from './scripted-transport.ts';

export const SETTINGS = {
  apiKey: 'key123',
  apiSecret: 'planted-secret',
  apiRoot: 'https://kite.test',
  loginUrl: 'https://login.test/connect/login',
  ordersOverIpv4: true,
};

export interface Bench {
  readonly broker: AltBroker;
  readonly transport: ScriptedTransport;
  readonly time: VirtualTime;
  readonly dead: string[];
  token: string | null;
}

/** The real adapter with the real SDK, on a wire that answers from a script. */
export function altBench(
  ...script: (HttpReply | ((request: HttpRequest) => HttpReply | Promise<HttpReply>))[]
): Bench {
  return altBenchWith({}, ...script);
}

export function altBenchWith(
  options: {
    readonly log?: Log;
    readonly onDeadToken?: (token: string) => void;
    readonly marks?: { readonly algoId: string | null; readonly marketProtection: number };
  },
  ...script: (HttpReply | ((request: HttpRequest) => HttpReply | Promise<HttpReply>))[]
): Bench {
  const transport = scriptedTransport(...script);
  const time = new VirtualTime('2026-11-20T10:00:00+05:30');
  const dead: string[] = [];
  const bench = { transport, time, dead, token: 'token-1' as string | null };
  const broker = createAltBroker({
    transport,
    clock: time,
    scheduler: time,
    log: options.log ?? silentLog,
    accessToken: () => bench.token,
    onDeadToken: options.onDeadToken ?? ((token) => void dead.push(token)),
    settings: { ...SETTINGS, ...options.marks },
  });
  return Object.assign(bench, { broker });
}

export function instrument(name: string, changes: Partial<Instrument> = {}): Instrument {
  const [exchange = '', tradingSymbol = ''] = name.split(':');
  return {
    name,
    exchange,
    tradingSymbol,
    segment: 'EQUITY',
    securityId: '1594',
    instrumentToken: 408065,
    lotSize: 1,
    tickSize: 0.05,
    freezeQuantity: null,
    isin: null,
    displayName: 'INFOSYS',
    expiry: null,
    strike: null,
    optionType: null,
    ...changes,
  };
}

export function terms(changes: Partial<OrderTerms> = {}): OrderTerms {
  return {
    instrument: 'NSE:INFY',
    side: 'BUY',
    quantity: 10,
    orderType: 'LIMIT',
    product: 'CNC',
    validity: 'DAY',
    price: 1500.05,
    triggerPrice: null,
    amo: false,
    ...changes,
  };
}

export function attempt(changes: Partial<OrderTerms> = {}): PlaceAttempt {
  return {
    attemptId: 'attempt-1',
    terms: terms(changes),
    instrument: instrument('NSE:INFY'),
    tag: 'Tag00000000000000001',
  };
}

/** An order row as the broker writes one, with what a test changes of it. */
export function orderRow(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    order_id: '261120000000001',
    exchange_order_id: '1100000000000001',
    status: 'OPEN',
    status_message: null,
    status_message_raw: null,
    order_timestamp: '2026-11-20 09:45:30',
    exchange_update_timestamp: '2026-11-20 09:45:31',
    exchange_timestamp: '2026-11-20 09:45:31',
    variety: 'regular',
    exchange: 'NSE',
    tradingsymbol: 'INFY',
    instrument_token: 408065,
    order_type: 'LIMIT',
    transaction_type: 'BUY',
    validity: 'DAY',
    product: 'CNC',
    quantity: 10,
    price: 1500.05,
    trigger_price: 0,
    average_price: 0,
    filled_quantity: 0,
    pending_quantity: 10,
    tag: null,
    ...changes,
  };
}

export function tradeRow(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    trade_id: '70001',
    order_id: '261120000000001',
    exchange_order_id: '1100000000000001',
    exchange: 'NSE',
    tradingsymbol: 'INFY',
    quantity: 4,
    average_price: 1499.9,
    transaction_type: 'BUY',
    fill_timestamp: '2026-11-20 09:46:00',
    order_timestamp: '09:46:00',
    exchange_timestamp: '2026-11-20 09:46:00',
    ...changes,
  };
}

/** The failure that a read ended in; fails the test when it did not. */
export async function failureOf(read: Promise<unknown>): Promise<BrokerFailure> {
  const settled = await read.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in settled) throw new Error(`it resolved to ${JSON.stringify(settled.value)}`);
  if (!(settled.error instanceof BrokerError)) throw settled.error;
  return settled.error.failure;
}
