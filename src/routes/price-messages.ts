import { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';
import { TICK_MODES } from '../domain/tick.ts';
import type { ServerSocket } from '../platform/http-upgrade.ts';
import { fieldOf } from '../platform/values.ts';
import { MOST_OF_CALLER } from '../router/price-streams.ts';
import { check } from './check-input.ts';
import type { PriceSession } from './price-session.ts';

const id = z
  .string()
  .regex(/^[\x20-\x7e]{1,64}$/, 'takes 1 to 64 printable characters')
  .optional();

const instruments = z
  .array(z.string().regex(/^[\x20-\x7e]{1,64}$/, 'takes an instrument: NSE:INFY, NSE_1594 or INFY'))
  .min(1, 'is required: name at least one instrument')
  .max(MOST_OF_CALLER, `takes at most ${MOST_OF_CALLER} instruments`);

/** What a program sends on a WebSocket (docs/streaming.md). */
const messageSchema = z.discriminatedUnion(
  'action',
  [
    z.strictObject({
      action: z.literal('subscribe'),
      id,
      instruments,
      mode: z.enum(TICK_MODES).default('ltp'),
    }),
    z.strictObject({ action: z.literal('unsubscribe'), id, instruments }),
  ],
  'takes subscribe or unsubscribe',
);
type Message = z.output<typeof messageSchema>;

const NO_MESSAGE =
  'The message is not JSON: send a text such as {"action":"subscribe","instruments":["NSE:INFY"]}.';

/**
 * Carries out the messages of a program, one after the other: the next one when the answer to the one before has
 * been taken, so that a program that sends and does not read costs no memory.
 */
export function answerMessages(socket: ServerSocket, session: PriceSession): void {
  const inbox: (string | null)[] = [];
  let isBusy = false;

  async function carryOut(text: string | null): Promise<void> {
    const read = readMessage(text);
    if (read.message === null) return session.refuse(read.refusal, read.id);
    const { message } = read;
    const found = await session.find(message.instruments);
    if (message.action === 'subscribe') session.subscribe(found, message.mode, message.id);
    else session.unsubscribe(found, message.id);
  }

  function goOn(): void {
    const text = inbox.shift();
    if (text === undefined) {
      isBusy = false;
      socket.resume();
      return;
    }
    carryOut(text)
      .catch(() => session.refuse('The message could not be carried out: send it again.'))
      .finally(() => session.whenSaid(goOn));
  }

  socket.onText((text) => {
    inbox.push(text);
    if (isBusy) return;
    isBusy = true;
    socket.pause();
    goOn();
  });
}

type Read =
  | { readonly message: Message }
  | { readonly message: null; readonly refusal: string; readonly id?: string };

function readMessage(text: string | null): Read {
  let value: unknown;
  try {
    if (text === null) return { message: null, refusal: NO_MESSAGE };
    value = JSON.parse(text);
  } catch {
    return { message: null, refusal: NO_MESSAGE };
  }
  try {
    return { message: check(messageSchema, value, 'message') };
  } catch (error) {
    if (!(error instanceof GatewayProblem)) throw error;
    const sent = id.safeParse(fieldOf(value, 'id')).data;
    const refusal = error.message;
    return { message: null, refusal, ...(sent === undefined ? {} : { id: sent }) };
  }
}
