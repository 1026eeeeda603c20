import { useEffect, useState } from 'preact/hooks';
import { type Client, NoAnswerError, ProblemError } from '../../../client/index.ts';
import { ModeTag } from '../parts/mode-tag.tsx';
import { OrderActions } from '../parts/order-actions.tsx';
import { clockTime, count, rupees } from '../pure/format.ts';
import { canResolve, STATUS_WORDS, termsOf } from '../pure/orders.ts';
import { type Life, momentsOf, withEvents } from '../pure/timeline.ts';
import { problemOf } from '../problem-of.ts';
import { usePage, useStore } from '../use-store.ts';

/** An order's life: what was sent, what the broker said, when, and what can be done now. */
export function OrderPage({ id }: { readonly id: string }) {
  const { client } = useStore();
  const { orders } = usePage();
  const [life, setLife] = useState<Life | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const now = orders?.get(id);
  useEffect(() => {
    let isLeft = false;
    readLife(client, id).then(
      (read) => {
        if (isLeft) return;
        setLife(read);
        setProblem(null);
      },
      (error: unknown) => {
        if (!(error instanceof ProblemError || error instanceof NoAnswerError)) throw error;
        if (!isLeft) setProblem(problemOf(error));
      },
    );
    return () => void (isLeft = true);
    // Read again whenever the order has changed.
  }, [client, id, now?.updatedAt]);

  const order = now ?? life?.order;
  return (
    <section aria-labelledby="order">
      <p>
        <a href="#/">← Today</a>
      </p>
      <h1 id="order">{order === undefined ? 'Order' : termsOf(order)}</h1>
      {problem === null ? null : (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {order === undefined ? null : (
        <>
          <p role="status">
            <ModeTag mode={order.mode} broker={order.broker} />{' '}
            <span class={`status ${order.status}`}>{order.status.replace('_', ' ')}</span>{' '}
            {STATUS_WORDS[order.status] === order.status ? '' : `${STATUS_WORDS[order.status]}. `}
            Filled {count(order.filledQuantity)}
            {order.averagePrice === null ? '' : ` at ${rupees(order.averagePrice)}`}.
          </p>
          {order.reason === null ? null : <p>{order.reason}</p>}
          <OrderActions order={order} />
          {order.status === 'disputed' && !canResolve(order) ? (
            <p class="notice warn">
              Which order of {order.broker} it is is known, so there is nothing to resolve. Look at
              it in the app of {order.broker}, and cancel it, here or there, if you do not want it.
            </p>
          ) : null}
          <dl class="facts">
            <dt>Id</dt>
            <dd>{order.id}</dd>
            <dt>Key of the request</dt>
            <dd>{order.clientOrderId ?? 'none'}</dd>
            <dt>Id at the broker</dt>
            <dd>{order.brokerOrderId ?? 'not known'}</dd>
            <dt>Id at the exchange</dt>
            <dd>{order.exchangeOrderId ?? 'not known'}</dd>
          </dl>
        </>
      )}
      <h2>What happened</h2>
      {life === null ? <p>Asking the gateway…</p> : <Timeline life={life} />}
    </section>
  );
}

function Timeline({ life }: { readonly life: Life }) {
  const { events } = usePage();
  return (
    <>
      <ol class="timeline">
        {withEvents(momentsOf(life), life.order.id, events).map(
          ({ at, who, words, more }, index) => (
            <li key={index} class={who}>
              <time dateTime={at}>{clockTime(at, Date.now())}</time> {words}
              {more === null ? null : <small>{more}</small>}
            </li>
          ),
        )}
      </ol>
      {life.history.statesReason === null ? null : (
        <p class="quiet">What the broker tells is missing: {life.history.statesReason}</p>
      )}
    </>
  );
}

async function readLife(client: Client, id: string): Promise<Life> {
  const [order, history] = await Promise.all([
    client.getOrder({ id }),
    client.getOrderHistory({ id }),
  ]);
  // An order placed elsewhere has no placings of ours, and its broker may tell no fills.
  const [placings, fills] = await Promise.all([
    client.getOrderLatency({ id }).then(
      ({ data }) => data,
      () => [],
    ),
    client.getFills({ id }).then(
      ({ data }) => data,
      () => [],
    ),
  ]);
  return { order: order.data, history: history.data, placings, fills };
}
