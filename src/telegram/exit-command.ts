import { PRODUCTS, type Product } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import type { AskingCommand, Question } from './confirmation.ts';
import {
  type HeldPosition,
  readHeld,
  type ReadOf,
  tradingAccounts,
  unreadText,
} from './held-accounts.ts';
import { accountText, CALLER, keyOf } from './words.ts';

type ExitGateway = Pick<
  Gateway,
  'getBrokers' | 'getPositions' | 'getHoldings' | 'getInstrument' | 'startExit'
>;

/** What was typed after `/exit`. */
interface Wanted {
  readonly instrument: string;
  readonly product: Product | null;
  readonly quantity: number | null;
  readonly broker: string | null;
}

const USAGE =
  'Send /exit INFY, or with more of it: /exit NSE:INFY INTRADAY 10 alt (product, quantity, account).';
/** The most choices in one answer. */
const LISTED = 15;

/** `/exit`: ends a position, once it is confirmed (docs/exits.md). */
export function createExitCommand(gateway: ExitGateway, clock: Clock): AskingCommand {
  return {
    async ask(words) {
      const wanted = wantedOf(words, gateway.getBrokers());
      if (typeof wanted === 'string') return wanted;
      const accounts = gateway.getBrokers().filter(({ broker }) => broker === wanted.broker);
      const reads = await readHeld(
        gateway,
        wanted.broker === null ? tradingAccounts(gateway) : accounts,
      );
      const found = reads.flatMap(({ rows }) => rows).filter((row) => isMeant(row, wanted));
      const unread = unreadText(reads, 'What is held at');
      const [position, ...others] = found;
      if (others.length > 0) return choices(found, wanted, unread);
      if (position !== undefined) return ofPosition(position, wanted, unread);
      const unreadAccount = reads.find(({ problem }) => problem !== null);
      if (unreadAccount === undefined) return nothingHeld(wanted, reads);
      return ofUnread(wanted, unreadAccount, unread);
    },
  };

  async function ofPosition(
    position: HeldPosition,
    wanted: Wanted,
    unread: readonly string[],
  ): Promise<Question | string> {
    const { instrument, broker } = position;
    const product = PRODUCTS.find((each) => each === position.product);
    const held = Math.abs(position.quantity);
    if (product === undefined) {
      const named = position.product === '' ? 'a product without a name' : position.product;
      return `${held} ${instrument} are held at ${broker} as ${named}, which no order of the gateway can have. Use the broker's app.`;
    }
    const { quantity } = wanted;
    if (quantity !== null && quantity > held) {
      return `Only ${held} of ${instrument} (${product}) are held at ${broker}. Nothing was asked.`;
    }
    const side = position.quantity > 0 ? 'SELL' : 'BUY';
    const how = quantity === null ? 'all that is held' : `of ${held} held`;
    return {
      text: [
        `Exit at ${accountText(position)}: ${side} ${quantity ?? held} ${instrument} ${product}, ${how}.`,
        await priceText(gateway, instrument),
        RESTING,
        ...unread,
      ].join('\n'),
      act: (messageId) => begin({ instrument, product, quantity, broker }, messageId),
    };
  }

  /** A way out is not kept back because the account cannot be read now: the exit reads it again. */
  async function ofUnread(
    { instrument, product, quantity, broker }: Wanted,
    account: ReadOf<unknown>,
    unread: readonly string[],
  ): Promise<Question | string> {
    if (product === null || broker === null) {
      return [
        `No ${instrument} was found.`,
        ...unread,
        `To ask for the exit all the same: /exit EXCHANGE:${nameOf(instrument)} PRODUCT ${account.broker}`,
      ].join('\n');
    }
    const { name } = await gateway.getInstrument(instrument);
    return {
      text: [
        `Exit at ${accountText(account)}: ${quantity ?? 'all'} of ${name} ${product}.`,
        ...unread,
        'The exit reads the account again, and sends nothing before it could.',
        await priceText(gateway, name),
        RESTING,
      ].join('\n'),
      act: (messageId) => begin({ instrument: name, product, quantity, broker }, messageId),
    };
  }

  async function begin(
    request: Pick<Wanted, 'instrument' | 'quantity'> & {
      readonly product: Product;
      readonly broker: string;
    },
    messageId: number,
  ): Promise<string> {
    const context = { caller: CALLER, idempotencyKey: keyOf(messageId, clock.now()) };
    const { exit, repeated } = await gateway.startExit({ kind: 'position', ...request }, context);
    const { id, instrument, product, status } = exit;
    if (repeated) return `That was confirmed before: exit ${id} is ${status}.`;
    return (
      `Exit ${id} of ${instrument} (${product}) at ${accountText(exit)} has begun. A message follows when ` +
      `it is over. To end it: DELETE /api/v1/exits/${id}`
    );
  }
}

const RESTING =
  "The gateway's own orders that rest for the position, such as its stop, are cancelled first.";

async function priceText(gateway: Pick<Gateway, 'getInstrument'>, name: string): Promise<string> {
  const isOption = await gateway.getInstrument(name).then(
    ({ optionType }) => optionType !== null,
    (error: unknown) => {
      if (error instanceof GatewayProblem) return null;
      throw error;
    },
  );
  const options = 'LIMIT from the far side of the book, deep enough for the quantity';
  const others = 'LIMIT near the last price; MARKET where the broker refuses it';
  if (isOption === null) return `Price: ${others} (options: ${options}).`;
  return `Price: ${isOption ? options : others}, further away with each attempt.`;
}

function wantedOf(
  words: readonly string[],
  brokers: readonly { broker: string }[],
): Wanted | string {
  const [instrument, ...rest] = words;
  if (instrument === undefined) return USAGE;
  let wanted: Wanted = {
    ...{ instrument: instrument.toUpperCase(), product: null, quantity: null, broker: null },
  };
  for (const word of rest) {
    const product = PRODUCTS.find((each) => each === word.toUpperCase());
    const broker = brokers.find((each) => each.broker === word)?.broker;
    if (product !== undefined && wanted.product === null) wanted = { ...wanted, product };
    else if (broker !== undefined && wanted.broker === null) wanted = { ...wanted, broker };
    else if (/^[1-9]\d{0,8}$/.test(word) && wanted.quantity === null) {
      wanted = { ...wanted, quantity: Number(word) };
    } else {
      const names = brokers.map((each) => each.broker).join(', ');
      return (
        `Not understood: ${word.slice(0, 40)}. After the instrument come a product (${PRODUCTS.join(', ')}), ` +
        `a whole quantity, an account (${names}), each once. ${USAGE}`
      );
    }
  }
  return wanted;
}

/** `INFY` of `NSE:INFY`. */
const nameOf = (instrument: string): string => instrument.slice(instrument.indexOf(':') + 1);

function isMeant({ instrument, product }: HeldPosition, wanted: Wanted): boolean {
  const name = wanted.instrument.includes(':') ? instrument : nameOf(instrument);
  return (
    name.toUpperCase() === wanted.instrument &&
    (wanted.product === null || product === wanted.product)
  );
}

function choices(
  found: readonly HeldPosition[],
  { quantity }: Wanted,
  unread: readonly string[],
): string {
  const lines = found.slice(0, LISTED).map(({ instrument, product, broker, quantity: held }) => {
    const part = quantity === null ? '' : `${quantity} `;
    return `/exit ${instrument} ${product} ${part}${broker} (${held} held)`;
  });
  const more = found.length > LISTED ? [`and ${found.length - LISTED} more`] : [];
  return ['Which one? Send one of these:', ...lines, ...more, ...unread].join('\n');
}

function nothingHeld({ instrument, product }: Wanted, reads: readonly ReadOf<unknown>[]): string {
  const what = product === null ? instrument : `${instrument} (${product})`;
  const where = reads.map(accountText).join(', ');
  return `No ${what} is held at ${where === '' ? 'any account of the trading route' : where}.`;
}
