import type { BrokerId } from '../domain/broker.ts';
import type { Execution } from '../execution/execution.ts';
import { statusOf } from '../execution/order/order.ts';
import type { Figures } from '../metrics/gauges.ts';
import type { BrokerCall, Metrics } from '../metrics/metrics.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpReply, HttpTransport } from '../platform/http.ts';
import type { ProcessFigures } from '../platform/process-figures.ts';
import type { Gateway } from '../router/gateway.ts';
import type { AppParts } from '../routes/app.ts';
import type { Session } from '../session/session.ts';
import type { EpochMs } from '../units/branded.ts';
import { must } from '../platform/values.ts';

/** The transport of one broker, measured. What it answers is the same. */
export function measuredTransport(
  transport: HttpTransport,
  broker: BrokerId,
  clock: Clock,
  metrics: Pick<Metrics, 'brokerCall'>,
): HttpTransport {
  return {
    connectAhead: (target) => transport.connectAhead(target),
    close: () => transport.close(),
    async send(request) {
      const begun = clock.elapsed();
      const reply = await transport.send(request);
      // What changes something has a connection of its own.
      const kind = request.fresh ? 'change' : 'read';
      metrics.brokerCall({
        ...{ broker, kind, outcome: outcomeOf(reply) },
        ms: clock.elapsed() - begun,
      });
      return reply;
    },
  };
}

function outcomeOf(reply: HttpReply): BrokerCall['outcome'] {
  if (reply.kind === 'answered') return `${Math.floor(reply.status / 100)}xx`;
  return reply.kind === 'broken' ? reply.cause : 'not_sent';
}

export interface FiguresParts {
  readonly gateway: Pick<Gateway, 'getBrokers' | 'getLimits' | 'getKillSwitch'>;
  readonly execution: Pick<Execution, 'state' | 'recovering' | 'unreadBooks'>;
  readonly session: Session | null;
  readonly clock: Clock;
  readonly ofProcess: ProcessFigures;
}

/** What the HTTP application measures, and the text that it answers. */
export function measuring(
  metrics: Metrics,
  parts: FiguresParts,
): Required<Pick<AppParts, 'metrics' | 'observe'>> {
  const startedAt = parts.clock.now();
  return {
    metrics: {
      text: () => metrics.text(figuresNow(parts, startedAt)),
      contentType: metrics.contentType,
    },
    observe: (request) => metrics.request(request),
  };
}

function figuresNow(
  { gateway, execution, session, clock, ofProcess }: FiguresParts,
  startedAt: EpochMs,
): Figures {
  const open = openOrders(execution);
  const unread = new Map(
    execution.unreadBooks().map(({ broker, since }) => [broker, (clock.now() - since) / 1000]),
  );
  const limits = gateway.getLimits();
  return {
    ready: execution.recovering().length === 0,
    killSwitchEngaged: gateway.getKillSwitch().engaged,
    brokers: gateway.getBrokers().map(({ broker, mode, available }) => ({
      ...{ broker, mode, available },
      openOrders: open.get(broker) ?? new Map(),
      bookUnreadSeconds: unread.get(broker) ?? 0,
      limits: limits.find((each) => each.broker === broker)?.buckets ?? [],
    })),
    tokens: session === null ? [] : [{ broker: session.broker, secondsLeft: left(session, clock) }],
    eventLoopDelay: ofProcess.eventLoopDelay(),
    memory: ofProcess.memory(),
    startedAt,
  };
}

function left(session: Session, clock: Clock): number {
  const current = session.current();
  return current.state === 'valid' ? Math.max(0, (current.expiresAt - clock.now()) / 1000) : 0;
}

function openOrders({ state }: Pick<Execution, 'state'>): Map<BrokerId, Map<string, number>> {
  const counts = new Map<BrokerId, Map<string, number>>();
  for (const id of state.openOrders) {
    const order = must(state.orders.get(id), 'an open order is in memory');
    const ofBroker = counts.get(order.broker) ?? new Map<string, number>();
    const status = statusOf(order);
    counts.set(order.broker, ofBroker.set(status, (ofBroker.get(status) ?? 0) + 1));
  }
  return counts;
}
