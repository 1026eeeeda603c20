import type { KnownDerivative } from '../../../src/domain/derivatives.ts';
import type { Instrument, BrokerInstruments } from '../../../src/domain/instrument.ts';
import type {
  CancelAttempt,
  ModifyAttempt,
  OrderTerms,
  PlaceAttempt,
} from '../../../src/domain/order.ts';
import { createPrimaryBroker } from '../../../src/adapters/primary/index.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../../src/platform/http.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

type Responder = (request: HttpRequest, url: URL) => HttpReply;

/** A transport that answers by a function, and keeps the requests. */
export class ScriptedTransport implements HttpTransport {
  readonly requests: HttpRequest[] = [];
  respond: Responder;

  constructor(respond: Responder) {
    this.respond = respond;
  }

  send(request: HttpRequest): Promise<HttpReply> {
    this.requests.push(request);
    return Promise.resolve(this.respond(request, new URL(request.url)));
  }

  readonly ahead: Pick<HttpRequest, 'url' | 'ipv4'>[] = [];

  connectAhead(target: Pick<HttpRequest, 'url' | 'ipv4'>): void {
    this.ahead.push(target);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get urls(): readonly URL[] {
    return this.requests.map((request) => new URL(request.url));
  }
}

export function answered(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): HttpReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answered', status, statusText: '', headers, body: text };
}

export const success = (data: unknown): HttpReply => answered(200, { status: 'success', data });
export const unreached: HttpReply = { kind: 'not_sent', cause: 'ECONNREFUSED', message: 'refused' };
export const lost = {
  kind: 'broken',
  cause: 'reset',
  message: 'the connection was reset',
  status: null,
} as const satisfies HttpReply;

export function instrument(changes: Partial<Instrument> = {}): Instrument {
  return {
    name: 'NSE:INFY',
    exchange: 'NSE',
    tradingSymbol: 'INFY',
    segment: 'EQUITY',
    securityId: '1594',
    instrumentToken: 408065,
    lotSize: 1,
    tickSize: 0.05,
    freezeQuantity: null,
    isin: 'INE009A01021',
    displayName: 'Infosys Ltd',
    expiry: null,
    strike: null,
    optionType: null,
    ...changes,
  };
}

export const infosys = instrument();
export const option = instrument({
  name: 'NFO:NIFTY25JUL25700CE',
  exchange: 'NFO',
  tradingSymbol: 'NIFTY25JUL25700CE',
  segment: 'DERIVATIVE',
  securityId: '56998',
  isin: null,
});

export function lookupOf(instruments: readonly Instrument[]): BrokerInstruments {
  const cash = (exchange: string): string => ({ NFO: 'NSE', BFO: 'BSE' })[exchange] ?? exchange;
  return {
    own: (instrument) => instrument,
    byName: (name) => instruments.find((each) => each.name === name) ?? null,
    bySecurityId: (exchange, securityId, segment) =>
      instruments.find(
        (each) =>
          cash(each.exchange) === exchange &&
          each.securityId === securityId &&
          (segment === undefined || each.segment === segment),
      ) ?? null,
  };
}

export interface Setup {
  readonly respond?: Responder;
  readonly instruments?: readonly Instrument[];
  readonly remarks?: boolean;
  readonly stopOrders?: 'smart' | 'plain';
  readonly extraTerminalStatuses?: readonly string[];
  readonly accessToken?: () => string | null;
  /** Null, without a derivative, when absent. */
  readonly knownDerivative?: KnownDerivative;
}

export function setUp(setup: Setup = {}) {
  const time = new VirtualTime('2026-11-20T10:00:00+05:30');
  const transport = new ScriptedTransport(setup.respond ?? (() => success(null)));
  const broker = createPrimaryBroker({
    transport,
    clock: time,
    scheduler: time,
    log: silentLog,
    instruments: lookupOf(setup.instruments ?? [infosys, option]),
    knownDerivative: setup.knownDerivative ?? (() => Promise.resolve(null)),
    accessToken: setup.accessToken ?? (() => 'secret-token-1'),
    settings: {
      baseUrl: 'https://broker.test/',
      remarks: setup.remarks ?? false,
      ...(setup.stopOrders ? { stopOrders: setup.stopOrders } : {}),
      extraTerminalStatuses: setup.extraTerminalStatuses ?? [],
    },
  });
  return {
    time,
    transport,
    broker,
    marketData: broker.marketData!,
    account: broker.account!,
    trading: broker.trading!,
    source: broker.instruments!,
  };
}

export const limitOrder: OrderTerms = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'LIMIT',
  product: 'CNC',
  validity: 'DAY',
  price: 1500.05,
  triggerPrice: null,
  amo: false,
};

export function placing(terms: Partial<OrderTerms> = {}, of: Instrument = infosys): PlaceAttempt {
  return {
    attemptId: 'a1',
    terms: { ...limitOrder, ...terms },
    instrument: of,
    tag: 'Abc123Abc123Abc123Ab',
  };
}

export function cancelling(changes: Partial<CancelAttempt> = {}): CancelAttempt {
  return {
    attemptId: 'a2',
    brokerOrderId: 'EQ-1',
    instrument: infosys,
    brokerOrderType: 'LIMIT',
    ...changes,
  };
}

export function modifying(
  changes: Partial<ModifyAttempt['changes']>,
  terms: Partial<OrderTerms> = {},
): ModifyAttempt {
  return {
    attemptId: 'a3',
    brokerOrderId: 'EQ-1',
    instrument: infosys,
    terms: { ...limitOrder, ...terms },
    changes: {
      quantity: null,
      price: null,
      triggerPrice: null,
      orderType: null,
      validity: null,
      ...changes,
    },
  };
}

/** A row of the order book as the broker sends it. */
export function orderRow(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'EQ-1',
    exch_order_id: '1300000002340881',
    txn_type: 'BUY',
    security_id: '1594',
    isin: 'INE009A01021',
    name: 'Infosys',
    exchange: 'NSE',
    segment: 'EQUITY',
    product: 'CNC',
    order_type: 'LIMIT',
    validity: 'DAY',
    traded_qty: 0,
    requested_qty: 10,
    requested_price: '1500.05',
    traded_price: '',
    sl_trigger_price: '',
    sl_limit_price: '',
    tgt_trigger_price: '',
    tgt_limit_price: '',
    status: 'PENDING',
    extra_info: '',
    created_at: '2025-07-02T09:18:40.446948+05:30',
    updated_at: '2025-07-02T09:18:40.498595+05:30',
    ...changes,
  };
}

/** The failure of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return (error as { failure?: unknown }).failure ?? error;
  }
  throw new Error('the call succeeded');
}
