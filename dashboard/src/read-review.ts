import type { Client, Schemas } from '../../client/index.ts';
import type { OrderBody } from './pure/ticket.ts';
import { problemOf } from './problem-of.ts';

/** What is known of an order before it is sent; a text where it could not be read, and why. */
export interface Review {
  readonly instrument: Schemas['Instrument'] | string;
  readonly margin: Schemas['Margin'] | string;
  readonly brakes: Schemas['Brakes'] | string;
  /** The key of the sign-in, which has limits of its own. */
  readonly key: Schemas['Key'] | string;
}

/** The order as it is sent: `body` names the broker, whose account tells what the order blocks. */
export async function readReview(
  client: Pick<Client, 'getInstrument' | 'getMargins' | 'getLimits' | 'getKey'>,
  body: OrderBody & { readonly broker: string },
): Promise<Review> {
  const read = async <T>(ask: Promise<T>): Promise<T | string> => {
    try {
      return await ask;
    } catch (error) {
      return problemOf(error);
    }
  };
  const [instrument, margin, brakes, key] = await Promise.all([
    read(client.getInstrument({ instrument: body.instrument }).then(({ data }) => data)),
    read(client.getMargins({ body: { orders: [body] } }).then(({ data }) => data)),
    read(client.getLimits().then((answer) => answer.brakes)),
    read(client.getKey({ id: 'me' }).then(({ data }) => data)),
  ]);
  return { instrument, margin, brakes, key };
}
