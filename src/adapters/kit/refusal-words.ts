/** Words of refusals that belong to no broker: those of the depository, the exchange and the internet. */

const AUTHORISE: readonly RegExp[] = [
  /\b(?:TPIN|e-?DIS|DDPI)\b/i,
  /\b(?:holdings?|shares|stocks?|securities|DP|demat|CDSL|NSDL)\b.*\b(?:un|not |be |pre-?|please )?authori[sz](?:e|ed|ation)\b/i,
  /\bauthori[sz](?:e|ation)\b.*\b(?:holdings?|shares|stocks?|securities|demat|CDSL|NSDL)\b/i,
];

/**
 * Whether the sale of holdings has to be authorised at the depository first. Without a power of attorney
 * (DDPI), that is for the account's owner to do in the broker's app, each day.
 */
export const saysToAuthorise = (text: string): boolean =>
  AUTHORISE.some((words) => words.test(text));

/** A broker's words as a sentence, for what is added to them. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A refusal for a missing authorisation, with what to do. */
export const authoriseRefusal = (text: string): string =>
  `${sentence(text)} Authorise the sale of these holdings in the broker's app (TPIN), and place the order again.`;

const PRICE =
  /\bLPP\b|\blimit price protection\b|\bDPR\b|\bprice range\b|\bexecution range\b|\bprice[ -]?band\b|\bcircuit\b|\btick\b/i;

/**
 * Whether the exchange refused an order for its price: tick, circuit, band, limit price protection (NSE's
 * range round a reference price in derivatives), or the range of a trade.
 */
export const saysPrice = (text: string): boolean => PRICE.test(text);

const MARKET_BLOCKED =
  /\bmarket (?:orders?|protection)\b.*\b(?:blocked|not (?:allowed|permitted|supported|accepted))\b/i;

export const saysMarketBlocked = (text: string): boolean => MARKET_BLOCKED.test(text);

const QUANTITY = /\b(?:lot|freeze|disclosed)\b|freezeqty/i;

/** A wrong lot is also "not a multiple", but another price would not help. */
export const saysQuantity = (text: string): boolean => QUANTITY.test(text);

const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/;
/** Whole, or shortened with `::`; a time of day is neither. */
const IPV6 = /(?<![\w:])(?=[\da-f:]*::|(?:[\da-f]{1,4}:){7})[\da-f:]{3,39}(?![\w:])/i;

/** The address that a broker saw, as its words have it; null where they have none. */
export function addressIn(text: string): string | null {
  return IPV4.exec(text)?.[0] ?? IPV6.exec(text)?.[0] ?? null;
}

/** A refusal for the address of this computer, with what to do: where to register it at the broker. */
export function addressRefusal(text: string, where: string): string {
  const address = addressIn(text);
  const what = address === null ? 'the public IPv4 address of this computer' : address;
  const overIpv6 =
    address?.includes(':') === true
      ? ' That is an IPv6 address, which can change: better send orders over IPv4, and register that address.'
      : '';
  return `${sentence(text)} The broker takes orders only from registered addresses: register ${what} ${where}.${overIpv6}`;
}
