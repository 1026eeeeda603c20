import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument } from '../exchange/instrument.ts';
import type { Call, Route } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import { invalid } from './place.ts';
import { primarySuccess, rupees } from './refusal.ts';

function legOf(exchange: Exchange, instrument: Instrument, at: number): Record<string, unknown> {
  const day = exchange.prices.day(instrument, at);
  const { bids, asks } = exchange.book.depth(instrument, at);
  const isCall = instrument.option?.right === 'CE';
  return {
    security_id: instrument.primary.securityId,
    trading_symbol: instrument.primary.tradingSymbol,
    last_price: rupees(day.last),
    previous_close_price: rupees(day.previousClose),
    oi: instrument.exchangeToken * 13,
    previous_oi: instrument.exchangeToken * 12,
    volume: day.volume,
    top_bid_price: rupees(bids[0]?.price ?? 0),
    top_bid_quantity: bids[0]?.quantity ?? 0,
    top_ask_price: rupees(asks[0]?.price ?? 0),
    top_ask_quantity: asks[0]?.quantity ?? 0,
    iv: 12.5,
    // Plausible constants: the sandbox does not price risk.
    greeks: { delta: isCall ? 0.5 : -0.5, gamma: 0.0008, theta: -9.2, vega: 11.4 },
  };
}

function chain(exchange: Exchange, call: Call): Reply {
  const underlying = exchange.listing.bySecurity(
    call.query.get('exchange') ?? '',
    call.query.get('segment') ?? '',
    call.query.get('underlying-scrip') ?? '',
  );
  const options = exchange.listing.all.filter(
    (one) => one.option !== null && one.option.underlying === underlying?.key,
  );
  const expiry = call.query.get('expiry') ?? options[0]?.option?.expiry ?? '';
  if (!underlying || options.length === 0) throw invalid('Invalid underlying-scrip');
  const spot = exchange.prices.last(underlying, call.at);
  const count = Number(call.query.get('strike_count') ?? 10);
  const ofExpiry = options.filter((one) => one.option?.expiry === expiry);
  if (ofExpiry.length === 0) throw invalid('Invalid expiry');
  const near = [...new Set(ofExpiry.map((one) => one.option?.strike ?? 0))]
    .sort((a, b) => Math.abs(a * 100 - spot) - Math.abs(b * 100 - spot))
    .slice(0, count);
  const strikes: Record<string, Record<string, unknown>> = {};
  for (const one of ofExpiry) {
    if (!one.option || !near.includes(one.option.strike)) continue;
    const row = (strikes[String(one.option.strike)] ??= {});
    row[one.option.right.toLowerCase()] = legOf(exchange, one, call.at);
  }
  return primarySuccess({ underlying_ltp: rupees(spot), expiry, strikes });
}

function olderChain(exchange: Exchange, call: Call): Reply {
  const symbol = call.query.get('symbol') ?? '';
  const options = exchange.listing.all.filter((one) => one.option && one.name === symbol);
  if (options.length === 0) throw invalid('Invalid symbol');
  const legs = (right: 'CE' | 'PE'): unknown[] =>
    options
      .filter((one) => one.option?.right === right)
      .map((one) => ({
        strike_price: one.option?.strike,
        expiry: one.option?.expiry,
        ...legOf(exchange, one, call.at),
      }));
  return primarySuccess({ calls: legs('CE'), puts: legs('PE') });
}

function search(exchange: Exchange, call: Call): Reply {
  const wanted = (call.query.get('underlying') ?? '').toUpperCase();
  const kind = call.query.get('segment') === 'DERIVATIVE' ? 'option' : 'share';
  const size = Math.min(100, Number(call.query.get('page_size') ?? 100));
  const page = Math.max(1, Number(call.query.get('page') ?? 1));
  const found = exchange.listing.all.filter(
    (one) => one.kind === kind && (one.name === wanted || one.symbol.startsWith(wanted)),
  );
  const rows = found.slice((page - 1) * size, page * size).map((one) => ({
    security_id: one.primary.securityId,
    trading_symbol: one.primary.tradingSymbol,
    exchange: one.primary.exchange,
    segment: one.primary.segment,
    instrument_type: one.option ? 'OPTIDX' : 'EQUITY',
    expiry: one.option?.expiry ?? '',
    strike_price: one.option?.strike ?? 0,
    option_type: one.option?.right ?? '',
    lot_size: one.lot,
  }));
  return primarySuccess({ instruments: rows, page, page_size: size, total: found.length });
}

/**
 * Option chain in both forms, expiries, instrument search. For a broker with only the older form,
 * use the fault `error_before` with status 404 on `/market/option-chain`.
 */
export function chainRoutes(exchange: Exchange): Route[] {
  const data = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'GET',
    pattern,
    category: 'data',
    run,
  });
  return [
    data('/market/option-chain', (call) => chain(exchange, call)),
    data('/option-chain', (call) => olderChain(exchange, call)),
    data('/market/instruments/expiries', (call) => {
      const name = call.query.get('underlying') ?? '';
      const options = exchange.listing.all.filter((one) => one.option && one.name === name);
      return primarySuccess([...new Set(options.map((one) => one.option?.expiry))]);
    }),
    data('/market/instruments/search', (call) => search(exchange, call)),
  ];
}
