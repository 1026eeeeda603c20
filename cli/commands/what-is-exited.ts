import { type Client, NoAnswerError, ProblemError } from '../../client/index.ts';
import { PRODUCT_NAMES, type PRODUCTS } from '../command.ts';
import { canBe, deliveryText, type HeldNow, readHeld, sharesLeft, unreadText } from './held.ts';
import { accountText } from './orders.ts';

interface ExitWords {
  readonly instrument: string;
  readonly product: (typeof PRODUCTS)[number];
  readonly quantity: number | undefined;
  readonly broker: string | undefined;
}

/**
 * What an exit will do, with the side of its orders as the account is now. It only informs: an exit does not depend on
 * this read, and the gateway reads the account again before it sends anything.
 */
export async function whatIsExited(
  client: Client,
  { instrument, product, quantity, broker }: ExitWords,
): Promise<readonly string[]> {
  const what = `${quantity === undefined ? 'all' : quantity} of ${instrument} ${product}`;
  const first = `What rests for it is cancelled, then this is closed: ${what}.`;
  const isDelivery = PRODUCT_NAMES[product] === 'CNC';
  const rule = isDelivery
    ? 'Delivery shares that are still held are SOLD, those of the holdings too.'
    : 'A long position is sold, and a short one is bought back.';
  try {
    const accounts = await readHeld(client, broker);
    const rows = accounts.flatMap((account) =>
      account.problem === null
        ? rowsOf(account, instrument, PRODUCT_NAMES[product])
        : [unreadText(account)],
    );
    const none = rows.length === 0 ? ['No account that can be read shows any of it now.'] : [];
    return [first, rule, ...rows, ...none];
  } catch (error) {
    if (!(error instanceof ProblemError) && !(error instanceof NoAnswerError)) throw error;
    return [first, rule, `What is held cannot be read now: ${error.message}`];
  }
}

function rowsOf(account: HeldNow, instrument: string, product: string): readonly string[] {
  const where = accountText(account);
  if (product === 'CNC')
    return account.delivery
      .filter((each) => canBe(instrument, each.instrument))
      .map(
        (each) =>
          `  ${sharesLeft(each) > 0 ? 'SELL: held' : 'Held'} at ${where}: ${deliveryText(each)}`,
      );
  return account.positions
    .filter((each) => each.product === product && canBe(instrument, each.instrument))
    .map((each) => {
      const side = each.quantity > 0 ? 'SELL: long' : 'BUY: short';
      return `  ${side} at ${where}: ${Math.abs(each.quantity)} ${each.instrument}`;
    });
}
