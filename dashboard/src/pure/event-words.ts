import type { StreamedEvent } from '../../../client/index.ts';
import { count, dayAndTime, rupees } from './format.ts';
import { STATUS_WORDS, termsOf } from './orders.ts';
import { whoWords } from './who.ts';

export const EVENT_KINDS = ['orders', 'exits and triggers', 'safety', 'alerts', 'others'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
type Data = StreamedEvent['data'];

/** What each type of event is, and what it says (docs/events.md has what `data` holds). */
const TYPES: Readonly<Record<string, readonly [EventKind, (data: Data) => string]>> = {
  'order.updated': ['orders', (data) => line(`${termsIn(data)}: ${statusIn(data)}`, data.reason)],
  'order.fill': ['orders', fillWords],
  'order.attempt': [
    'orders',
    (data) => {
      const what = data.kind === 'modify' ? 'A change' : 'A cancel';
      const words = `${what} of ${termsIn(data)}, asked for by ${whoWords(data.by)}: ${outcomeIn(data)}`;
      return line(words, data.detail);
    },
  ],
  'order.resolved': ['orders', resolvedWords],
  'order.forced': [
    'orders',
    (data) => line(`${whoFirst(data.by)} let pass with force: ${termsIn(data)}`, data.unread),
  ],
  'order.cancel_all': [
    'orders',
    (data) =>
      `${whoFirst(data.caller)} asks to cancel ${listWords([
        [data.orderIds, 'order', ''],
        [data.external, 'order', ' placed elsewhere'],
        [data.triggerIds, 'trigger', ''],
        [data.externalTriggers, 'trigger', ' placed elsewhere'],
      ])}`,
  ],
  'order.external_cancel': ['orders', (data) => externalWords('A cancel', data)],
  'order.external_modify': ['orders', (data) => externalWords('A change', data)],
  'postback.received': [
    'orders',
    ({ broker, brokerOrderId }) =>
      `${text(broker)} tells that its order ${text(brokerOrderId)} has changed`,
  ],
  'basket.updated': ['orders', ({ basket }) => basketWords(part(basket))],
  'exit.updated': [
    'exits and triggers',
    ({ exit }) => {
      const { side, instrument, product, broker, detail } = part(exit);
      return `Exit, ${text(side)} ${text(instrument)} ${text(product)} at ${text(broker)}: ${text(detail)}`;
    },
  ],
  'closing.updated': [
    'exits and triggers',
    ({ closing }) => `Closing of positions: ${text(part(closing).detail)}`,
  ],
  'trigger.updated': [
    'exits and triggers',
    ({ trigger }) => {
      const { id, instrument, status, reason } = part(trigger);
      const words = `Trigger ${text(id)} of ${text(instrument)}: ${wordsOf(TRIGGERS, status)}`;
      return line(words, reason);
    },
  ],
  'trigger.changed': ['exits and triggers', triggerChangeWords],
  'trigger.external_delete': [
    'exits and triggers',
    (data) => {
      const what = `the trigger ${text(data.triggerId)} of ${text(data.instrument)}`;
      const words = `Deletion of ${what} at ${text(data.broker)}, placed elsewhere, asked for by ${whoWords(data.by)}: ${outcomeIn(data)}`;
      return line(words, data.detail);
    },
  ],
  'kill_switch.changed': ['safety', killSwitchWords],
  'gateway.armed': [
    'safety',
    ({ by, why }) => {
      const may = why === 'damaged' ? 'may be a copy' : 'was restored from a backup';
      const was = why === 'copied' ? 'is a copy' : may;
      return `Orders pass again on this data directory, which ${was}: ${whoWords(by)} said that the gateway of the original is stopped`;
    },
  ],
  'key.changed': [
    'safety',
    (data) => {
      const { id, name, scope } = part(data.key);
      const by = whoWords(data.by, 'the gateway or the command line');
      return changeWords(`The key ${text(name ?? id)} (${text(scope)})`, data, by);
    },
  ],
  alert: [
    'alerts',
    ({ level, message }) => `${level === 'critical' ? 'Critical: ' : ''}${text(message)}`,
  ],
  'signal.accepted': ['alerts', ({ signal }) => signalWords(part(signal))],
  'signal.refused': ['alerts', ({ signal }) => refusedWords(part(signal))],
  'session.changed': ['others', sessionWords],
  'broker.changed': [
    'others',
    ({ broker, available, mode, reason }) =>
      available === true
        ? `${text(broker)} takes orders, ${mode === 'live' ? 'with real money' : 'on paper'}`
        : line(`${text(broker)} takes no orders`, reason),
  ],
  'hook.changed': [
    'others',
    (data) => {
      const { id, name, key, mode } = part(data.hook);
      const what = `The hook ${text(name ?? id)} of the key ${text(key)} (${text(mode)})`;
      return changeWords(what, data, whoWords(data.by));
    },
  ],
  'webhook.changed': [
    'others',
    (data) => changeWords(`The webhook ${text(part(data.webhook).id)}`, data, whoWords(data.by)),
  ],
};

export const eventKind = (type: string): EventKind => TYPES[type]?.[0] ?? 'others';

/** An event in one line, never an empty one. */
export function eventWords({ type, data }: Pick<StreamedEvent, 'type' | 'data'>): string {
  const words = TYPES[type]?.[1] ?? (() => 'This page does not know events of this type.');
  return words(data);
}

type Part = Readonly<Record<string, unknown>>;

/** A member that is an object; without one, each of its members is absent. */
const part = (value: unknown): Part =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'not told';
/** With a further sentence where there is one. */
const line = (words: string, more: unknown): string =>
  typeof more === 'string' && more !== '' ? `${words}. ${more}` : words;
const plural = (number: number, one: string): string =>
  `${count(number)} ${one}${number === 1 ? '' : 's'}`;
const whoFirst = (by: unknown): string =>
  whoWords(by).replace(/^./, (first) => first.toUpperCase());

const termsIn = ({ order }: Data): string =>
  order ? termsOf(order) : 'an order that this page cannot read';
const statusIn = ({ order }: Data): string =>
  order ? STATUS_WORDS[order.status] : 'it has changed';

const OUTCOMES: Part = {
  sending: 'about to leave',
  acknowledged: 'the broker has taken it',
  refused: 'the broker has refused it',
  not_sent: 'it never left',
  uncertain: 'not known whether the broker has taken it',
  taken: 'the list of the broker shows it',
  not_taken: 'the list of the broker shows the trigger as it was',
};
/** The name itself where this page has no words for it. */
const wordsOf = (words: Part, name: unknown): string => text(words[String(name)] ?? name);
/** Null before it leaves. */
const outcomeIn = ({ outcome }: Data): string => wordsOf(OUTCOMES, outcome ?? 'sending');

const TRIGGERS: Part = {
  sending: 'on its way to the broker',
  waiting: 'waits for its price',
  triggered: 'has placed its order',
  ended: 'over',
  refused: 'the broker has refused it',
  not_sent: 'never sent',
  uncertain: 'not known yet whether the broker has it',
  absent: 'the broker does not have it',
};

function triggerChangeWords({ id, kind, caller, state, reason }: Data): string {
  const trigger = `the trigger ${text(id)}`;
  if (kind === 'resolve') return line(`${whoFirst(caller)} said what became of ${trigger}`, reason);
  const what = kind === 'modify' ? 'A change' : 'The deletion';
  const words = `${what} of ${trigger}, asked for by ${whoWords(caller)}: ${wordsOf(OUTCOMES, state)}`;
  return line(words, reason);
}

function fillWords(data: Data): string {
  const { fill } = data;
  const what = fill ? `Filled ${count(fill.quantity)} at ${rupees(fill.price)}` : 'Filled';
  return `${what}: ${termsIn(data)}`;
}

function resolvedWords(data: Data): string {
  const { kind, brokerOrderId, force } = part(data.resolution);
  const said =
    kind === 'absent'
      ? 'the broker does not have it'
      : `the broker has it as ${text(brokerOrderId)}${force === true ? ', although it differs' : ''}`;
  return `${whoFirst(data.by)} said of ${termsIn(data)}: ${said}`;
}

function listWords(parts: readonly (readonly [unknown, string, string])[]): string {
  const words = parts.flatMap(([all, one, more]) => {
    const { length } = list(all);
    return length === 0 ? [] : [`${plural(length, one)}${more}`];
  });
  return words.length === 0 ? 'orders, of which none is known so far' : words.join(', ');
}

function externalWords(what: string, data: Data): string {
  const { side, quantity, instrument, broker, brokerOrderId, by } = data;
  const order = `${text(side)} ${text(quantity)} ${text(instrument)} at ${text(broker)} (order ${text(brokerOrderId)}), placed elsewhere`;
  return line(`${what} of ${order}, asked for by ${whoWords(by)}: ${outcomeIn(data)}`, data.detail);
}

function basketWords({ status, orders }: Part): string {
  const all = list(orders).map(part);
  const what = `A basket of ${plural(all.length, 'order')}`;
  if (status !== 'over') return `${what} has begun`;
  const ends = new Map<string, number>();
  for (const { orderId, status: of } of all) {
    const end = typeof orderId === 'string' ? text(of).replace('_', ' ') : 'not placed';
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  const told = [...ends].map(([end, number]) => `${count(number)} ${end}`).join(', ');
  return `${what} is answered: ${told === '' ? 'none was placed' : told}`;
}

function killSwitchWords({ engaged, reason, changedBy }: Data): string {
  // Events of older versions do not have it.
  if (typeof engaged !== 'boolean')
    return 'The kill switch was engaged or released: not told which';
  const what = engaged ? 'engaged' : 'released';
  return line(`The kill switch was ${what} by ${whoWords(changedBy)}`, reason);
}

/** Of a key, a hook or a webhook. */
function changeWords(what: string, { change, fields }: Data, by: string): string {
  const names = list(fields).map(text).join(', ');
  return `${what} was ${text(change)} by ${by}${names === '' ? '' : `: ${names}`}`;
}

function signalWords({ id, hookName, mode, orders }: Part): string {
  const all = list(orders).map((order) => part(part(order).request));
  const words = all.map(
    ({ side, quantity, instrument }) => `${text(side)} ${text(quantity)} ${text(instrument)}`,
  );
  const money = mode === 'live' ? 'may be real money' : 'on paper';
  return `Signal ${text(id)} of the hook ${text(hookName)} is taken, ${money}: ${words.length === 0 ? 'no order' : words.join(', ')}`;
}

function refusedWords({ id, hookName, orders, problem }: Part): string {
  const what = `Signal ${text(id)} of the hook ${text(hookName)}`;
  if (typeof problem === 'object' && problem !== null) {
    return line(`${what} was refused, and nothing was placed`, part(problem).detail);
  }
  const all = list(orders).map((order) => part(order).problem);
  const refused = all.filter((each) => typeof each === 'object' && each !== null).map(part);
  const words = `${what}: ${count(refused.length)} of ${plural(all.length, 'order')} not placed`;
  return line(words, refused[0]?.detail);
}

function sessionWords({ broker, state, userId, expiresAt }: Data): string {
  const what = `Login at ${text(broker)}`;
  if (state === 'absent') return `${what}: nobody is logged in`;
  const whose = typeof userId === 'string' ? ` of ${userId}` : '';
  if (state === 'expired') return `${what}${whose} has ended`;
  const until = typeof expiresAt === 'string' ? `, until ${dayAndTime(expiresAt)}` : '';
  return `${what}${whose}: ${state === 'valid' ? 'valid' : text(state)}${until}`;
}
