import type { Caller, KeyRecord } from '../callers/caller.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderRequest } from '../domain/order.ts';
import { GatewayProblem, type ProblemError } from '../domain/problem.ts';
import type { Hook } from '../domain/signal-template.ts';
import { addressList } from '../platform/http-address-list.ts';
import { check } from '../routes/check-input.ts';
import { confined } from '../routes/confinement.ts';
import { createRouteInputs, orderRequestOf } from '../routes/order-schemas.ts';
import { modeOf } from '../routes/orders.ts';
import { parseJson } from '../routes/parse-json.ts';
import type { EpochMs } from '../units/branded.ts';
import { callerOfHook } from './check-hook.ts';
import { mapSignal, textFields } from './map-signal.ts';

export interface ReadAlertParts {
  /** Every key, revoked ones too. */
  readonly keys: () => readonly KeyRecord[];
  readonly brokers: readonly { readonly name: BrokerId; readonly mode: Mode }[];
}

/** An alert as a hook reads it: the orders of its key that it asks for. */
export interface ReadAlert {
  readonly alertId: string;
  readonly alertAt: EpochMs | null;
  readonly orders: readonly OrderRequest[];
}

/** Throws a GatewayProblem where an alert may not be followed; nothing has happened then. */
export type AlertReader = (
  hook: Hook,
  alert: { readonly body: string; readonly address: string },
  now: EpochMs,
) => ReadAlert;

/** Everything that is decided of an alert before anything is written (docs/signals.md, "What is refused"). */
export function createAlertReader(parts: ReadAlertParts): AlertReader {
  const { orderBody } = createRouteInputs(parts.brokers.map(({ name }) => name));

  /** The order as the route that places orders would take it from the key itself. */
  function requestOf(order: object, caller: Caller): OrderRequest {
    const body = check(orderBody, order, 'body');
    confined({ body: orderBody }, caller, { query: {}, body });
    const { broker } = caller;
    return {
      ...orderRequestOf(body),
      ...(broker === null ? {} : { broker }),
      mode: modeOf(caller, undefined),
    };
  }

  return (hook, { body, address }, now) => {
    checkAddress(hook, address);
    const caller = liveCaller(hook, parts);
    const { template } = hook;
    const fields = template.text === null ? parseJson(body) : textFields(template.text, body);
    if (fields === null || typeof fields !== 'object') {
      throw refused([{ path: 'alert', message: 'has another form than the template of the hook' }]);
    }
    const mapped = mapSignal(template, fields, tradingDay(now));
    if (mapped.kind === 'refused') throw refused(mapped.errors);
    checkAge(hook, mapped.alertAt, now);
    const orders = mapped.orders.map((order) => requestOf(order, caller));
    return { alertId: mapped.alertId, alertAt: mapped.alertAt, orders };
  };
}

/** The key of a hook as it is now, for paper or live. Throws `forbidden`. */
export function liveCaller(
  hook: Pick<Hook, 'key' | 'mode'>,
  { keys, brokers }: ReadAlertParts,
): Caller {
  const key = keys().find(({ id, revokedAt }) => id === hook.key && revokedAt === null);
  if (key !== undefined) return callerOfHook(hook, key, brokers);
  throw forbidden(`the key ${hook.key} of the hook was revoked: add a hook of another key`);
}

const forbidden = (detail: string): GatewayProblem =>
  new GatewayProblem({ code: 'forbidden', detail, mayHaveExecuted: false });

function checkAddress({ addresses }: Hook, address: string): void {
  if (addresses === null || addressList(addresses)?.has(address) === true) return;
  throw forbidden('the alert comes from an address that is not among those of the hook');
}

/** A clock that is ahead of ours by as much says nothing of when the alert was raised, either. */
function checkAge({ maxAgeSeconds }: Hook, alertAt: EpochMs | null, now: EpochMs): void {
  if (maxAgeSeconds === null) return;
  const age = alertAt === null ? null : Math.round((now - alertAt) / 1_000);
  if (age !== null && Math.abs(age) <= maxAgeSeconds) return;
  const what = age === null ? 'has no time' : age < 0 ? `is ${-age} s ahead` : `is ${age} s old`;
  throw new GatewayProblem({
    code: 'stale_signal',
    detail: `the alert ${what}, and the hook takes those of the last ${maxAgeSeconds} s`,
    mayHaveExecuted: false,
  });
}

function refused(errors: readonly ProblemError[]): GatewayProblem {
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new GatewayProblem({ code: 'invalid_request', detail: detail.slice(0, 2_000), errors });
}
