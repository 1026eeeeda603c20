import { Counter, Histogram, Registry } from 'prom-client';
import type { BrokerId } from '../domain/broker.ts';
import type { OrderTimes } from '../domain/order-times.ts';
import { createGauges, type Figures } from './gauges.ts';

/** One answered HTTP request of a caller. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route's path as declared, never as requested; null where there is no route. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
}

/** One request to a broker, and what came of it. */
export interface BrokerCall {
  readonly broker: BrokerId;
  /** `change` for what places, cancels or modifies; `read` for the rest. */
  readonly kind: 'change' | 'read';
  /** The status class of the answer (`2xx`), or why there was none (`not_sent`, `deadline`, `reset`, …). */
  readonly outcome: string;
  readonly ms: number;
}

/**
 * What the gateway measures, as Prometheus reads it (docs/operations.md, "Metrics"). Nothing here
 * throws: what is measured must not fail because of it.
 */
export interface Metrics {
  request(answered: AnsweredRequest): void;
  brokerCall(call: BrokerCall): void;
  orderTimes(broker: BrokerId, times: OrderTimes): void;
  /** The text of all figures now. */
  text(figures: Figures): Promise<string>;
  /** The type of that text. */
  readonly contentType: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'altbroker_http_request_seconds',
    help: 'Time from a request of a caller to its answer',
    labelNames: ['method', 'route', 'status'] as const,
    ...{ buckets: SECONDS, registers },
  });
  const brokerCalls = new Histogram({
    name: 'altbroker_broker_call_seconds',
    help: 'Time from a request to a broker to its answer, or to the knowledge that there is none',
    labelNames: ['broker', 'kind', 'outcome'] as const,
    ...{ buckets: SECONDS, registers },
  });
  const orders = new Histogram({
    name: 'altbroker_order_seconds',
    help: 'Time that a request to place an order took, part by part: received to committed, committed to sent, sent to answered',
    labelNames: ['broker', 'part'] as const,
    ...{ buckets: SECONDS, registers },
  });
  const lost = new Counter({
    name: 'altbroker_measurements_lost_total',
    help: 'Measurements that could not be counted',
    registers,
  });
  const gauges = createGauges(registry);

  function measure(observe: () => void): void {
    try {
      observe();
    } catch {
      lost.inc();
    }
  }

  return {
    request: ({ method, route, status, ms }) =>
      measure(() =>
        requests.observe({ method, route: route ?? '(none)', status: String(status) }, ms / 1000),
      ),
    brokerCall: ({ ms, ...labels }) => measure(() => brokerCalls.observe(labels, ms / 1000)),
    orderTimes: (broker, { committedMs, sentMs, answeredMs }) =>
      measure(() => {
        const part = (name: string, ms: number) =>
          orders.observe({ broker, part: name }, ms / 1000);
        part('committed', committedMs);
        if (sentMs === null) return;
        part('sent', sentMs - committedMs);
        part('answered', answeredMs - sentMs);
      }),
    text(figures) {
      gauges.set(figures);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
