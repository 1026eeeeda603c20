import type { OrderTerms } from '../../src/domain/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import { isOver, statusOf } from '../../src/execution/order/order.ts';
import type { Dice } from './dice.ts';
import type { Mishap } from './mishaps.ts';
import type { Users } from './users.ts';
import type { World } from './world.ts';
import { KITE_USER, OTHER_KITE_USER } from './world-settings.ts';

const RETRY_MS = 10_000;
/** A login that is refused is tried again, as often as this. */
const TRIES = 6;
/** How often at night, before the setting names the user. */
const NIGHT_TRIES = 30;
const HALF_DAY_MS = 12 * 3_600_000;

/** Another user logs in, and the first one again after a while. */
export async function letOtherUserIn(
  world: World,
  dice: Dice,
  { forMs, named, book }: Extract<Mishap, { kind: 'other_login' }>,
): Promise<void> {
  const { time, users, impaired, plan, timeline } = world;
  placeOrders(world, dice, book);
  const away = { from: time.now(), until: Infinity };
  impaired.push(away);
  await takeOver(world, 'other', named ? OTHER_KITE_USER : null, TRIES);
  await sleep(time, forMs);
  // The first user comes back, whatever has become of the other one's login.
  const left = Math.ceil((plan.hours.evening - time.now()) / RETRY_MS);
  const isNight = left * RETRY_MS > HALF_DAY_MS;
  const tries = isNight ? NIGHT_TRIES : Math.max(TRIES, left);
  let isBack = await takeOver(world, 'first', named ? KITE_USER : null, tries);
  // Orders of the other user may be open until the next afternoon: the setting names the first one, as the
  // refusal says.
  if (!isBack && isNight) isBack = await takeOver(world, 'first', KITE_USER, TRIES);
  if (isBack) away.until = users.backAt = time.now();
  else timeline.note('world', `${KITE_USER} could not log in again`);
  users.present = 'first';
}

/** Logs a user in, after naming that user in the settings; false where the login is refused. */
async function takeOver(
  world: World,
  who: Users['present'],
  named: string | null,
  tries: number,
): Promise<boolean> {
  const { time, timeline, users } = world;
  users.present = who;
  if (named !== null) {
    users.named = named;
    world.restart();
  }
  for (let each = 0; each < tries; each += 1) {
    const life = world.current();
    const session = life?.composed?.session;
    if (life && session) {
      const { state } = session.begin();
      const requestToken = users.issueRequestToken();
      const callback = { requestToken, status: 'success', state, cookieState: state };
      const isIn = await Promise.race([
        session.complete(callback).then(
          () => true,
          (error: unknown) => {
            timeline.note('world', `the login of the ${who} user is refused: ${String(error)}`);
            return false;
          },
        ),
        life.died.then(() => false),
      ]);
      if (isIn) {
        world.sessions.push(time.now());
        timeline.note('world', `the ${who} user is logged in`);
        return true;
      }
    }
    await sleep(time, RETRY_MS);
  }
  return false;
}

/** Orders of the other user, placed in the broker's app; some like those of the gateway. */
function placeOrders(
  { sandbox, current, timeline }: World,
  dice: Dice,
  book: 'empty' | 'orders' | 'twins',
): void {
  const { otherUser } = sandbox;
  if (book === 'empty' || otherUser === null) return;
  const orders = [...(current()?.composed?.execution.state.orders.values() ?? [])];
  const ours = orders.filter((order) => order.broker === 'alt' && order.state.kind !== 'sliced');
  // What a row could be most easily mistaken for: an order of which it is not known where it is.
  const open = ours.filter((order) => statusOf(order) === 'uncertain' || !isOver(order));
  const models = book === 'twins' ? [...open, ...ours].slice(0, 4) : [];
  const terms: readonly (OrderTerms | null)[] =
    models.length > 0 ? models.map((order) => order.terms) : [null, null];
  for (const each of terms) {
    try {
      const order = otherUser.placeByHand({
        instrument: each?.instrument ?? 'NSE:INFY',
        side: each?.side ?? dice.pick(['BUY', 'SELL']),
        quantity: each?.quantity ?? dice.pick([1, 5, 10]),
        product: each?.product === 'CNC' ? 'delivery' : 'intraday',
        ...(each?.price ? { limitPaise: Math.round(each.price * 100) } : {}),
      });
      timeline.note('world', `the other user places ${order.orderId}`);
    } catch {
      // A broker refuses a person too.
    }
  }
}
