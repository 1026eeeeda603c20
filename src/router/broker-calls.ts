import type { BrokerId, BrokerInstance } from '../domain/broker.ts';
import type { Broker } from '../domain/ports.ts';
import type { PostbackReader, PostbackReading } from '../domain/postback.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import type { ExecutionState } from '../execution/journal/state.ts';
import { type AddressRefusal, openAddressRefusal } from '../execution/submit/refusals.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import { type BrokerStatus, statusOf } from './broker-status.ts';
import type { Gateway } from './gateway.ts';
import type { Clock } from '../platform/clock.ts';
import type { EpochMs } from '../units/branded.ts';
import type { BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { noBroker } from './reads.ts';

export type BrokerCalls = Pick<
  Gateway,
  'receivePostback' | 'getBrokers' | 'getBrokersNotSetUp' | 'getLimits' | 'getBrakes'
>;

export interface BrokerCallsParts {
  readonly brokers: readonly Broker[];
  readonly notSetUp: readonly BrokerInstance[];
  readonly execution: Pick<Execution, 'postback' | 'state' | 'limitsInUse' | 'dailyLoss'>;
  readonly directory: Pick<InstrumentDirectory, 'lists'>;
  readonly routes: {
    readonly marketData: readonly BrokerId[];
    readonly trading: readonly BrokerId[];
  };
  readonly view: (broker: BrokerId) => BrokerView;
  readonly clock: Clock;
}

/** Calls about the brokers themselves, and the postbacks that they send. */
export function createBrokerCalls(parts: BrokerCallsParts): BrokerCalls {
  const { brokers } = parts;
  const readers = brokers.flatMap(({ postbacks }) => postbacks ?? []);

  const addressRefusalOf = rememberAddressRefusals(parts.execution.state);

  const since = parts.clock.now();
  const heard = new Map<BrokerId, EpochMs>();

  const status = (broker: Broker): BrokerStatus => {
    const postbacks = broker.postbacks ? { since, lastAt: heard.get(broker.id) ?? null } : null;
    const lists = parts.directory.lists().find((list) => list.broker === broker.id) ?? null;
    return statusOf(broker, lists, addressRefusalOf(broker.id), postbacks, parts);
  };

  return {
    receivePostback: (body) =>
      asProblems(async () => {
        if (readers.length === 0) throw noReader(parts.notSetUp.length > 0);
        const reading = readWith(readers, body);
        if (reading.kind !== 'genuine') return reading;
        heard.set(reading.hint.broker, parts.clock.now());
        return { kind: await parts.execution.postback(reading.hint) };
      }),
    getBrokers: () => brokers.map(status),
    getBrokersNotSetUp: () =>
      parts.notSetUp.map(({ name, mode, title, setUpAdvice }) => ({
        ...{ broker: name, mode },
        reason: setUpAdvice ?? `The ${title} is not set up.`,
      })),
    getBrakes: () => ({
      orders: parts.execution.limitsInUse(),
      dailyLoss: parts.execution.dailyLoss(),
    }),
    getLimits: ({ broker } = {}) =>
      brokers
        .filter(({ id }) => broker === undefined || broker === id)
        .flatMap(({ id, limits }) => (limits ? [{ broker: id, buckets: limits() }] : [])),
  };
}

/** Looks through the requests of the last days again only once something has happened. */
function rememberAddressRefusals(
  state: ExecutionState,
): (broker: BrokerId) => AddressRefusal | null {
  let found = new Map<BrokerId, AddressRefusal | null>();
  let foundAt = -1;
  return (broker) => {
    if (foundAt !== state.lastEvent) {
      found = new Map();
      foundAt = state.lastEvent;
    }
    const known = found.get(broker);
    if (known !== undefined) return known;
    const refusal = openAddressRefusal(state, broker);
    found.set(broker, refusal);
    return refusal;
  };
}

/** The reading with a correct checksum; without one, the first reader's reading. */
function readWith(readers: readonly PostbackReader[], body: string): PostbackReading {
  const readings = readers.map((reader) => reader.readPostback(body));
  const genuine = readings.find(({ kind }) => kind === 'genuine');
  return genuine ?? readings[0] ?? { kind: 'forged' };
}

/**
 * An instance that is not set up may send postbacks later: then the answer is not `not_supported`.
 */
function noReader(mayCome: boolean): GatewayProblem {
  if (mayCome) return noBroker('no broker that sends postbacks is set up');
  return new GatewayProblem({
    code: 'not_supported',
    detail: 'No configured broker sends postbacks.',
  });
}
