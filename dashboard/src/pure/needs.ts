import type { Schemas } from '../../../client/index.ts';
import { canResolve, type Order } from './orders.ts';
import { orderPlace, triggerPlace } from './places.ts';

export type Need = Schemas['Overview']['needs'][number];

/** Where the broker's login is: an address of the gateway, which leads back. */
export const LOGIN_PATH = '/api/altbroker/login';

/** The part of the first screen with exits, closings and triggers. */
export const UNDER_WAY = 'under-way';

/** What the page offers beside the words of a need. */
export type NeedWay =
  /** A page of the dashboard, by the part of the address after `#`. */
  | { readonly is: 'page'; readonly place: string; readonly words: string }
  /** A part of the first screen. */
  | { readonly is: 'part'; readonly id: typeof UNDER_WAY; readonly words: string }
  | { readonly is: 'login'; readonly path: typeof LOGIN_PATH }
  | { readonly is: 'arm' };

const SHOW_UNDER_WAY: NeedWay = {
  ...{ is: 'part' as const, id: UNDER_WAY, words: 'Show exits, closings and triggers' },
};

/** `order` as the page knows it, where the need is about one. Null where the words say what to do, and no page helps. */
export function wayOf({ what, orderId, id }: Need, order?: Order): NeedWay | null {
  switch (what) {
    case 'disarmed':
      return { is: 'arm' };
    case 'session':
      return { is: 'login', path: LOGIN_PATH };
    case 'exit':
    case 'closing':
      return SHOW_UNDER_WAY;
    case 'order': {
      if (orderId === null) return null;
      const more = order === undefined || canResolve(order) ? ', and resolve it' : '';
      return { is: 'page', place: orderPlace(orderId), words: `Look at the order${more}` };
    }
    case 'trigger':
      if (id === null) return SHOW_UNDER_WAY;
      return {
        ...{ is: 'page', place: triggerPlace(id), words: 'Look at the trigger, and resolve it' },
      };
    case 'signal':
      return { is: 'page', place: '/events', words: 'Look at the events' };
    default:
      return null;
  }
}
