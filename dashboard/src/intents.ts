import {
  type CallInput,
  type Client,
  newKey,
  NoAnswerError,
  ProblemError,
} from '../../client/index.ts';
import type { Answer } from './pure/answers.ts';
import {
  aboutOrder,
  cancelAllOutcome,
  cancelOutcome,
  closingOutcome,
  deleteTriggerOutcome,
  modifyOutcome,
  orderOutcome,
  type Outcome,
  resolvedTriggerOutcome,
} from './pure/outcomes.ts';

type Keyed<
  Name extends
    | 'placeOrder'
    | 'cancelOrder'
    | 'modifyOrder'
    | 'resolveOrder'
    | 'startExit'
    | 'deleteTrigger'
    | 'resolveTrigger'
    | 'cancelAll'
    | 'closeAll',
> = { readonly call: Name; readonly input: Omit<CallInput<Name>, 'key'> };

/** What a person asks for that changes something. */
export type Request =
  | Keyed<'placeOrder'>
  | Keyed<'cancelOrder'>
  | Keyed<'modifyOrder'>
  | Keyed<'resolveOrder'>
  | Keyed<'startExit'>
  | Keyed<'deleteTrigger'>
  | Keyed<'resolveTrigger'>
  | Keyed<'cancelAll'>
  | Keyed<'closeAll'>
  /** These have no key: done twice is as once. */
  | { readonly call: 'cancelExit' | 'cancelClosing'; readonly input: { readonly id: string } }
  | { readonly call: 'arm'; readonly input: { readonly body: { oldGatewayIsStopped: true } } }
  | {
      readonly call: 'setKillSwitch';
      readonly input: { readonly body: { engaged: boolean; reason: string } };
    };

/** One thing that a person asked for once: one key and one body, however often it has to be sent. */
export interface Intent {
  readonly key: string;
  /** What it is, for people. */
  readonly words: string;
  /** Epoch ms. */
  readonly at: number;
  readonly request: Request;
}

export const newIntent = (words: string, request: Request): Intent => ({
  ...{ key: `page-${newKey()}`, words, at: Date.now(), request },
});

const KEPT_AS = { intents: 'altbroker-open-intents', answers: 'altbroker-answers' } as const;
const MOST_ANSWERS = 20;

/** Those that wait for their first answer: the dialog that sent them shows how they stand. */
const underWay = new Set<string>();

/** Those without an answer, also of an earlier visit. */
export const openIntents = (): readonly Intent[] =>
  kept<Intent>(KEPT_AS.intents).filter(({ key }) => !underWay.has(key));

/** What became of those that nobody has seen yet, also of an earlier visit; the newest first. */
export const unseenAnswers = (): readonly Answer[] => kept<Answer>(KEPT_AS.answers);

function kept<Each>(name: string): readonly Each[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    // This page alone writes it.
    return Array.isArray(read) ? (read as Each[]) : [];
  } catch {
    return [];
  }
}

function keep(name: string, all: readonly object[]): void {
  localStorage.setItem(name, JSON.stringify(all));
  dispatchEvent(new Event('intents'));
}

const without = <Each extends { readonly key: string }>(name: string, key: string): Each[] =>
  kept<Each>(name).filter((each) => each.key !== key);

/** The person has seen how it stands. */
export function forgetIntent({ key }: Pick<Intent, 'key'>): void {
  forgetAnswer({ key });
  keep(KEPT_AS.intents, without(KEPT_AS.intents, key));
}

export const forgetAnswer = ({ key }: Pick<Answer, 'key'>): void =>
  keep(KEPT_AS.answers, without(KEPT_AS.answers, key));

/** Keeps what became of an intent until somebody has seen it, over reloads too. */
export function keepAnswer({ key, words }: Intent, outcome: Outcome): void {
  const answer: Answer = { key, words, at: Date.now(), outcome };
  keep(KEPT_AS.answers, [answer, ...without(KEPT_AS.answers, key)].slice(0, MOST_ANSWERS));
}

/** An order that is late is another order: whether it is sent again is for the person to say. */
const PATIENCE_MS = { placeOrder: 0, others: 8_000 };

/**
 * Sends it, and says what became of it. It is written down before it is sent, and stays so until an answer says what
 * happened: a page that is loaded again, or a browser that crashed, still has the key. `isFirst` says that it has never been sent.
 */
export async function send(client: Client, intent: Intent, isFirst: boolean): Promise<Outcome> {
  underWay.add(intent.key);
  const { key } = intent;
  keep(KEPT_AS.intents, [...without(KEPT_AS.intents, key), intent]);
  try {
    const outcome = await attempt(client, intent, isFirst);
    close(intent, outcome);
    return outcome;
  } finally {
    underWay.delete(key);
    dispatchEvent(new Event('intents'));
  }
}

/** Sends one of the list again. It stays there meanwhile, and what becomes of it is kept until the person has seen it. */
export async function sendAgain(client: Client, intent: Intent): Promise<void> {
  const outcome = await attempt(client, intent, false);
  // First the answer: a browser that crashes in between shows too much, and not too little.
  keepAnswer(intent, outcome);
  close(intent, outcome);
}

/** Takes it from the list, once an answer says what happened. */
function close({ key }: Intent, { kind }: Outcome): void {
  if (kind !== 'open') keep(KEPT_AS.intents, without(KEPT_AS.intents, key));
}

async function attempt(
  client: Client,
  { key, request }: Intent,
  keyIsNew: boolean,
): Promise<Outcome> {
  try {
    return await call(client, request, { key, keyIsNew });
  } catch (error) {
    if (!(error instanceof ProblemError || error instanceof NoAnswerError)) throw error;
    const isOpen = error.mayHaveExecuted;
    const said =
      error instanceof ProblemError ? error.problem.detail : 'The gateway did not answer.';
    if (!isOpen) return { kind: 'refused', words: `Not done, and nothing has changed. ${said}` };
    return {
      kind: 'open',
      words: `Not known yet whether this was done. ${said} Ask again: it is the same request under the same key, so it is not done twice; if it never arrived, it is done then.`,
    };
  }
}

async function call(
  client: Client,
  request: Request,
  keyed: { readonly key: string; readonly keyIsNew: boolean },
): Promise<Outcome> {
  const patienceMs = PATIENCE_MS.others;
  switch (request.call) {
    case 'placeOrder': {
      const input = { ...request.input, ...keyed, patienceMs: PATIENCE_MS.placeOrder };
      const { data } = await client.placeOrder(input);
      return aboutOrder(orderOutcome(data), data);
    }
    case 'modifyOrder': {
      const { data, httpStatus } = await client.modifyOrder({
        ...request.input,
        ...keyed,
        patienceMs,
      });
      return aboutOrder(modifyOutcome(data, httpStatus), data);
    }
    case 'cancelOrder': {
      const { data } = await client.cancelOrder({ ...request.input, ...keyed, patienceMs });
      return aboutOrder(cancelOutcome(data), data);
    }
    case 'resolveOrder': {
      const { data } = await client.resolveOrder({ ...request.input, ...keyed, patienceMs });
      return aboutOrder(orderOutcome(data), data);
    }
    case 'startExit': {
      const { data } = await client.startExit({ ...request.input, ...keyed, patienceMs });
      return { kind: 'done', words: `The exit has begun: ${data.detail}.` };
    }
    case 'cancelExit': {
      const { data } = await client.cancelExit({ ...request.input, patienceMs });
      return { kind: 'done', words: `The exit is being ended: ${data.detail}.` };
    }
    case 'deleteTrigger': {
      return deleteTriggerOutcome(
        (await client.deleteTrigger({ ...request.input, ...keyed, patienceMs })).data,
      );
    }
    case 'resolveTrigger': {
      const input = { ...request.input, ...keyed, patienceMs };
      return resolvedTriggerOutcome((await client.resolveTrigger(input)).data);
    }
    case 'cancelClosing': {
      const { data } = await client.cancelClosing({ ...request.input, patienceMs });
      return { kind: 'done', words: `The closing is being ended: ${data.detail}.` };
    }
    case 'cancelAll':
      return cancelAllOutcome(await client.cancelAll({ ...request.input, ...keyed, patienceMs }));
    case 'closeAll': {
      const { data } = await client.closeAll({ ...request.input, ...keyed, patienceMs });
      return closingOutcome(data);
    }
    case 'arm': {
      const { data } = await client.arm({ ...request.input, patienceMs });
      const words = data.wasDisarmed
        ? 'Orders pass from now on. The journal has who said so.'
        : 'Nothing to do: orders passed before already.';
      return { kind: 'done', words };
    }
    case 'setKillSwitch': {
      const { data } = await client.setKillSwitch({ ...request.input, patienceMs });
      return {
        kind: 'done',
        words: data.engaged ? 'The kill switch is engaged.' : 'The kill switch is released.',
        about: { killSwitchAt: data.changedAt },
      };
    }
  }
}
