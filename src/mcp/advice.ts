import { isRecord } from './json-schema.ts';

/** An answer of a route that changes something. */
export interface ChangingAnswer {
  /** Of the HTTP interface: 202 where something is open. */
  readonly status: number;
  /** The body of the answer. */
  readonly body: unknown;
  /** Whether nothing was done, because an earlier call had the same key. */
  readonly repeated: boolean;
}

export interface Advice {
  readonly settled: boolean;
  readonly text: string;
}

export type Advise = (answer: ChangingAnswer) => Advice;

const textIn = (value: unknown, name: string): string => {
  const field = isRecord(value) ? value[name] : undefined;
  return typeof field === 'string' ? field : 'unknown';
};
const dataOf = (body: unknown): unknown => (isRecord(body) ? body.data : null);

export const DO_NOT_PLACE_AGAIN =
  'DO NOT PLACE IT AGAIN, neither with the same terms nor with others: it may be at the broker, and it may ' +
  'have filled.';

export const NOTHING_SENT_NOW =
  'NOTHING WAS SENT NOW: this call repeats an earlier one, and this is what became of that one.';

/** What an order is told as after it was placed, changed or cancelled. */
export const adviseOrder: Advise = ({ status, body, repeated }) => {
  const order = dataOf(body);
  const id = textIn(order, 'id');
  const where = `${textIn(order, 'mode')} order ${id} at ${textIn(order, 'broker')}`;
  const state = textIn(order, 'status');
  const before = repeated ? `${NOTHING_SENT_NOW} ` : '';
  if (state === 'uncertain') {
    return {
      settled: false,
      text:
        `${before}IT IS NOT KNOWN whether the broker has the ${where}. ${DO_NOT_PLACE_AGAIN} Call get_order ` +
        `with id ${id} until its status is another one; repeating this very call is safe too. Tell the person ` +
        'that it is not known yet.',
    };
  }
  if (state === 'disputed') {
    return {
      settled: false,
      text:
        `${before}The ${where} is disputed: the gateway cannot tell which row of the broker is its own. ` +
        `${DO_NOT_PLACE_AGAIN} The person has to look in the broker's own app.`,
    };
  }
  if (status === 202) {
    return {
      settled: false,
      text:
        `${before}What was asked for the ${where} is under way, and not done yet: its status is ${state}. ` +
        `Do not ask for it again under another key; call get_order with id ${id}.`,
    };
  }
  const again = repeated
    ? ' If the person wants another order with the same terms beside it, call again with a new clientOrderId.'
    : '';
  return { settled: true, text: `${before}The status of the ${where} is ${state}.${again}` };
};

/** What a trigger is told as after it was placed, changed or deleted. */
export const adviseTrigger: Advise = ({ status, body, repeated }) => {
  const trigger = dataOf(body);
  const id = textIn(trigger, 'id');
  const where = `${textIn(trigger, 'mode')} trigger ${id} at ${textIn(trigger, 'broker')}`;
  const state = textIn(trigger, 'status');
  const before = repeated ? `${NOTHING_SENT_NOW} ` : '';
  if (state === 'uncertain' || state === 'sending') {
    return {
      settled: false,
      text:
        `${before}IT IS NOT KNOWN whether the broker has the ${where}. ${DO_NOT_PLACE_AGAIN} Call get_trigger ` +
        `with id ${id} until its status is another one; repeating this very call is safe too.`,
    };
  }
  if (status === 202) {
    return {
      settled: false,
      text:
        `${before}What was asked for the ${where} is not known to be done yet: its status is ${state}. Call ` +
        `get_trigger with id ${id}.`,
    };
  }
  return { settled: true, text: `${before}The status of the ${where} is ${state}.` };
};

/** Exits and closings go on by themselves after the answer. */
export const adviseRunning =
  (reader: string): Advise =>
  ({ body, repeated }) => {
    const running = dataOf(body);
    const id = textIn(running, 'id');
    const state = textIn(running, 'status');
    const before = repeated ? `${NOTHING_SENT_NOW} ` : '';
    const settled = state !== 'running';
    const next = settled
      ? ''
      : ` It goes on by itself: call ${reader} with id ${id} until it has ended, and do not begin another one.`;
    return {
      settled,
      text: `${before}${id} is ${state}: ${textIn(running, 'detail')}${next}`,
    };
  };

/** Cancels of many orders, each with a result of its own. */
export const adviseMany: Advise = ({ status, repeated }) => ({
  settled: status === 200,
  text:
    (repeated ? `${NOTHING_SENT_NOW} ` : '') +
    (status === 200
      ? 'What became of each order is in data, and of each trigger in meta.triggers.'
      : 'Some are still open, or an order book or a list of triggers could not be read (meta.errors): repeat ' +
        'this call, or read the orders and triggers. What is not in the list may still rest at a broker.'),
});

export const adviseKillSwitch: Advise = ({ body }) => {
  const state = dataOf(body);
  const isWritten = isRecord(state) && state.onDisk === true;
  return {
    settled: true,
    text:
      'The kill switch is engaged: orders that open a position are refused; cancels and exits pass. Only the ' +
      'person can release it, with an admin key.' +
      (isWritten ? '' : ' It could not be written to disk yet: it holds until a restart.'),
  };
};
