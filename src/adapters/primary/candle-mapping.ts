import { z } from 'zod';
import type { Candle } from '../../domain/candle.ts';
import { badPayload, type History, isObject } from './envelope.ts';
import { number } from './schemas.ts';
import { epochMs } from '../../units/branded.ts';

/** Plausible epoch seconds are far below this. A larger value is in another unit, or not a time. */
const LAST_SECOND = 100_000_000_000;

const row = z.record(z.string(), z.unknown());

/**
 * Maps one page of candles of one code. A row that cannot be read fails the whole page, because
 * leaving it out would leave a gap that looks like a quiet market. An empty list counts as an
 * answer only where the broker reports success (docs/spec/primary-brokerage.md, "Candles").
 */
export function mapCandles(history: History, code: string): readonly Candle[] {
  const { data, success } = history;
  const entry = Object.hasOwn(data, code) ? data[code] : undefined;
  if (entry === undefined && Object.keys(data).length > 0) {
    throw badPayload(`the reply has no candles of ${code}`);
  }
  const rows = isObject(entry) ? (entry.candles ?? null) : (entry ?? null);
  if (rows !== null && !(isObject(entry) && Array.isArray(rows))) {
    throw badPayload(`the candles of ${code} are not a list`);
  }
  if (rows === null || rows.length === 0) {
    if (!success) throw badPayload('the reply has no candles and does not report success');
    return [];
  }
  return rows.map((each: unknown) => mapCandle(each, code));
}

function mapCandle(data: unknown, code: string): Candle {
  const parsed = row.safeParse(data);
  const { ts, o, h, l, c, v } = parsed.success ? parsed.data : {};
  const [seconds = null, open = null, high = null, low = null, close = null] = [ts, o, h, l, c].map(
    number,
  );
  if (seconds === null || !Number.isInteger(seconds) || seconds <= 0 || seconds > LAST_SECOND) {
    throw badPayload(`a candle of ${code} has no time in seconds`);
  }
  if (open === null || high === null || low === null || close === null) {
    throw badPayload(`a candle of ${code} lacks a price`);
  }
  // An index has no volume, and its candles may omit the field.
  return { at: epochMs(seconds * 1000), open, high, low, close, volume: number(v) ?? 0 };
}
