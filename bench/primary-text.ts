/** What the primary brokerage would send, made here: the same at every run. */

const HEADER =
  'EXCH,SEGMENT,SECURITY_ID,INSTRUMENT_NAME,EXPIRY_CODE,TRADING_SYMBOL,LOT_UNITS,CUSTOM_SYMBOL,' +
  'EXPIRY_DATE,STRIKE_PRICE,OPTION_TYPE,TICK_SIZE,EXPIRY_FLAG,SEM_EXCH_INSTRUMENT_TYPE,SERIES,SYMBOL_NAME';

/** A list of derivatives; each row has a symbol of its own. */
export function instrumentsText(rows: number): string {
  const lines = [HEADER];
  for (let row = 0; row < rows; row += 1) {
    const underlying = `STOCK${row % 250}`;
    const strike = 1_000 + Math.floor(row / 500) * 20;
    const [type, words] = row % 500 < 250 ? ['CE', 'CALL'] : ['PE', 'PUT'];
    lines.push(
      `NSE,D,${40_000 + row},OPTSTK,0,${underlying}-Aug2026-${strike}-${type},75,` +
        `${underlying} 27 AUG ${strike} ${words},2026-08-27 14:30:00,${strike}.0,${type},5.0,M,OP,,${underlying}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The same rows as JSON: what a parser in native code makes of as much. */
export function instrumentsJson(rows: number): string {
  const [header = '', ...lines] = instrumentsText(rows).trimEnd().split('\n');
  const names = header.split(',');
  const row = (line: string): object => {
    const fields = line.split(',');
    return Object.fromEntries(names.map((name, place) => [name, fields[place]]));
  };
  return JSON.stringify(lines.map(row));
}

export function orderBookText(rows: number): string {
  const statuses = ['SUCCESS', 'CANCELLED', 'PENDING', 'PARTIALLY FILLED', 'FAILED'];
  const data = Array.from({ length: rows }, (_, row) => {
    const status = statuses[row % statuses.length]!;
    const traded = { SUCCESS: 10, 'PARTIALLY FILLED': 4 }[status] ?? 0;
    return {
      created_at: '2026-11-06T09:18:40.446948+05:30',
      updated_at: '2026-11-06T09:18:40.498595+05:30',
      user_id: '1234567',
      security_id: String(1_000 + (row % 50)),
      isin: 'INE009A01021',
      name: 'Infosys',
      id: `EQ-${28_000_000 + row}`,
      exch_order_id: String(1_300_000_002_340_000 + row),
      txn_type: row % 2 ? 'SELL' : 'BUY',
      exchange: 'NSE',
      segment: 'EQUITY',
      product: 'CNC',
      order_type: 'LIMIT',
      validity: 'DAY',
      mkt_type: 'NL',
      off_mkt_flag: 'false',
      traded_qty: traded,
      requested_qty: 10,
      requested_price: '1500.05',
      traded_price: traded > 0 ? '1500.05' : '',
      sl_trigger_price: '',
      sl_limit_price: '',
      tgt_trigger_price: '',
      tgt_limit_price: '',
      status,
      extra_info: '',
    };
  });
  return JSON.stringify({ status: 'success', data });
}
