import { type Answer, type Client, NoAnswerError, ProblemError } from '../../client/index.ts';
import { dateAndTimeOf } from '../table.ts';
import { type Finding, look, skipped, well, wrong } from './finding.ts';

/** Whether a gateway answers at the address. */
export async function answersAt(client: Client): Promise<boolean> {
  try {
    await client.getLiveness();
    return true;
  } catch (error) {
    if (error instanceof NoAnswerError || error instanceof ProblemError) return false;
    throw error;
  }
}

/** What a gateway that runs says of itself. Each read fails by itself. */
export async function checkGateway(client: Client, url: string): Promise<readonly Finding[]> {
  const key = await read('key', async () => {
    const { data } = await client.getKey({ id: 'me' });
    return [well('key', `${data.name}, which may ${data.scope}`)];
  });
  const findings = [well('gateway', `answers at ${url}`), ...key];
  if (key.some(({ state }) => state !== 'well')) {
    return [...findings, skipped('brokers', 'the gateway tells nothing more without a key')];
  }
  const parts = await Promise.all([
    read('session', async () => [sessionFinding((await client.getSession()).data)]),
    read('brokers', async () => (await client.getBrokers()).data.flatMap(brokerFindings)),
    read('ready', async () => readyFindings(await client.getReadiness())),
    read('kill switch', async () => {
      const { data } = await client.getKillSwitch();
      return [
        data.engaged
          ? look(
              'kill switch',
              `engaged: ${data.reason ?? 'no reason'}: kill --release lets orders pass`,
            )
          : well('kill switch', 'off'),
      ];
    }),
    read('signals', async () => {
      const { needs } = (await client.getOverview()).data;
      return needs
        .filter(({ what }) => what === 'signal')
        .map((need) => look('signals', need.detail));
    }),
    read('orders', async () => {
      const needing: string[] = [];
      for await (const order of client.items('getOrders', { status: 'uncertain,disputed' })) {
        needing.push(
          `${order.status}: ${order.side} ${order.quantity} ${order.instrument} (${order.id})`,
        );
      }
      if (needing.length === 0) return [well('orders', 'none is uncertain or disputed')];
      return needing.map((each) => look('orders', each));
    }),
  ]);
  return [...findings, ...parts.flat()];
}

async function read(
  what: string,
  find: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ProblemError) return [wrong(what, error.problem.detail)];
    if (error instanceof NoAnswerError) return [wrong(what, 'the gateway did not answer')];
    throw error;
  }
}

function sessionFinding({ state, userId, expiresAt }: Answer<'getSession'>['data']): Finding {
  const until = expiresAt === null ? '' : ` until ${dateAndTimeOf(expiresAt)} IST`;
  if (state === 'valid')
    return well('session', `valid${userId === null ? '' : ` as ${userId}`}${until}`);
  const ended = state === 'expired' ? 'has ended' : 'there is none';
  return look('session', `${ended}: run login. Until then orders go to paper, or nowhere`);
}

type Broker = Answer<'getBrokers'>['data'][number];

function brokerFindings(broker: Broker): readonly Finding[] {
  const { broker: name, available, reason, addressRefusedAt, addressAdvice, instruments } = broker;
  const why = reason ?? 'no reason known';
  const state = available ? well(name, 'can serve') : look(name, `cannot serve now: ${why}`);
  const lists = (instruments?.lists ?? []).filter(({ problem }) => problem !== null);
  return [
    state,
    ...lists.map(({ name: list, problem }) => look(name, `instrument list ${list}: ${problem}`)),
    ...(addressRefusedAt === null
      ? []
      : [wrong('address', `${name} refused orders from this address: ${addressAdvice ?? ''}`)]),
  ];
}

function readyFindings({ data }: Answer<'getReadiness'>): readonly Finding[] {
  const found = [...data.missing.map(({ detail }) => detail), ...data.notices];
  if (found.length === 0) return [well('ready', 'for orders')];
  return found.map((detail) => look('ready', detail));
}
