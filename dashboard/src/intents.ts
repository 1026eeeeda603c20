import {
  type CallInput,
  type Client,
  newKey,
  NoAnswerError,
  ProblemError,
} from '../../client/index.ts';
import {
  cancelAllOutcome,
  cancelOutcome,
  closingOutcome,
  deleteTriggerOutcome,
  modifyOutcome,
  orderOutcome,
  type Outcome,
} from './pure/outcomes.ts';

type Keyed<
  Name extends
    | 'placeOrder'
    | 'cancelOrder'
    | 'modifyOrder'
    | 'resolveOrder'
    | 'startExit'
    | 'deleteTrigger'
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
  | Keyed<'cancelAll'>
  | Keyed<'closeAll'>
  /** These have no key: done twice is as once. */
  | { readonly call: 'cancelExit'; readonly input: { readonly id: string } }
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

const KEPT_AS = 'altbroker-open-intents';

/** Those that wait for their first answer: the dialog that sent them shows how they stand. */
const underWay = new Set<string>();

/** Those without an answer, also of an earlier visit. */
export const openIntents = (): readonly Intent[] =>
  keptIntents().filter(({ key }) => !underWay.has(key));

function keptIntents(): readonly Intent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]');
    // This page alone writes it.
    return Array.isArray(kept) ? (kept as Intent[]) : [];
  } catch {
    return [];
  }
}

function keep(intents: readonly Intent[]): void {
  localStorage.setItem(KEPT_AS, JSON.stringify(intents));
  dispatchEvent(new Event('intents'));
}

export const forgetIntent = ({ key }: Pick<Intent, 'key'>): void =>
  keep(keptIntents().filter((each) => each.key !== key));

/** An order that is late is another order: whether it is sent again is for the person to say. */
const PATIENCE_MS = { placeOrder: 0, others: 8_000 };

/**
 * Sends it, and says what became of it. It is written down before it is sent, and stays so until an answer says what
 * happened: a page that is loaded again, or a browser that crashed, still has the key.
 */
export async function send(client: Client, intent: Intent): Promise<Outcome> {
  underWay.add(intent.key);
  keep([...keptIntents().filter(({ key }) => key !== intent.key), intent]);
  try {
    const outcome = await attempt(client, intent);
    if (outcome.kind !== 'open') forgetIntent(intent);
    return outcome;
  } finally {
    underWay.delete(intent.key);
    dispatchEvent(new Event('intents'));
  }
}

async function attempt(client: Client, { key, request }: Intent): Promise<Outcome> {
  try {
    return await call(client, request, key);
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

async function call(client: Client, request: Request, key: string): Promise<Outcome> {
  const patienceMs = PATIENCE_MS.others;
  switch (request.call) {
    case 'placeOrder':
      return orderOutcome(
        (await client.placeOrder({ ...request.input, key, patienceMs: PATIENCE_MS.placeOrder }))
          .data,
      );
    case 'modifyOrder': {
      const { data, httpStatus } = await client.modifyOrder({ ...request.input, key, patienceMs });
      return modifyOutcome(data, httpStatus);
    }
    case 'cancelOrder': {
      return cancelOutcome((await client.cancelOrder({ ...request.input, key, patienceMs })).data);
    }
    case 'resolveOrder':
      return orderOutcome((await client.resolveOrder({ ...request.input, key, patienceMs })).data);
    case 'startExit': {
      const { data } = await client.startExit({ ...request.input, key, patienceMs });
      return { kind: 'done', words: `The exit has begun: ${data.detail}.` };
    }
    case 'cancelExit': {
      const { data } = await client.cancelExit({ ...request.input, patienceMs });
      return { kind: 'done', words: `The exit is being ended: ${data.detail}.` };
    }
    case 'deleteTrigger': {
      return deleteTriggerOutcome(
        (await client.deleteTrigger({ ...request.input, key, patienceMs })).data,
      );
    }
    case 'cancelAll':
      return cancelAllOutcome(await client.cancelAll({ ...request.input, key, patienceMs }));
    case 'closeAll': {
      const { data } = await client.closeAll({ ...request.input, key, patienceMs });
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
      };
    }
  }
}
