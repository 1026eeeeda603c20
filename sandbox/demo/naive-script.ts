import { z } from 'zod';
import { type Patience, untilAnswered, type Watch } from './until-answered.ts';

/** How Kite's order book tells the script's orders from those of the gateway. */
export const SCRIPT_AGENT = 'naive-script';

export interface KiteAccount {
  readonly origin: string;
  readonly apiKey: string;
  /** The session of the account, which scripts and the gateway share. */
  readonly accessToken: string;
}

const placed = z.object({ data: z.object({ order_id: z.string() }) });

/**
 * The script that many write first: it sends an order to Kite, waits some seconds for the answer, and sends the order
 * again when none comes. Whether Kite has the first one it cannot know. Returns the order id that it is told.
 */
export async function buyNaively(
  { symbol, quantity }: { readonly symbol: string; readonly quantity: number },
  { origin, apiKey, accessToken }: KiteAccount,
  { fetch, watch, ...patience }: Patience & { readonly fetch: Fetch; readonly watch: Watch },
): Promise<string> {
  const body = new URLSearchParams({
    ...{ exchange: 'NSE', tradingsymbol: symbol, transaction_type: 'BUY' },
    ...{ quantity: String(quantity), product: 'CNC', order_type: 'MARKET' },
    ...{ validity: 'DAY', market_protection: '-1' },
  });
  const headers = {
    authorization: `token ${apiKey}:${accessToken}`,
    'user-agent': SCRIPT_AGENT,
    'x-kite-version': '3',
  };
  const send = async (signal: AbortSignal): Promise<string> => {
    const reply = await fetch(`${origin}/orders/regular`, {
      ...{ method: 'POST', headers, body, signal },
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`Kite answers ${reply.status}: ${text}`);
    return placed.parse(JSON.parse(text)).data.order_id;
  };
  return untilAnswered(send, patience, watch);
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
