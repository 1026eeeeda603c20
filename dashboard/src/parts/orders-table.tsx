import { clockTime, count, rupees } from '../pure/format.ts';
import { isOver, listed, type Order, STATUS_WORDS } from '../pure/orders.ts';
import { usePage } from '../use-store.ts';
import { OrderActions } from './order-actions.tsx';
import { ModeTag } from './mode-tag.tsx';

/** The day's orders, open ones first. */
export function OrdersTable() {
  const { orders, ordersProblem } = usePage();
  const rows = orders === null ? null : listed(orders);
  return (
    <section aria-labelledby="orders">
      <h2 id="orders">Orders of today</h2>
      {ordersProblem === null ? null : (
        <p class="notice bad" role="alert">
          The orders cannot be read again now: {ordersProblem} What is shown is what was known
          before.
        </p>
      )}
      {rows === null ? <p>Asking the gateway…</p> : null}
      {rows?.length === 0 ? <p class="quiet">No order today.</p> : null}
      {rows && rows.length > 0 ? (
        <div class="scroll" tabIndex={0} role="region" aria-label="Orders of today">
          <table>
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">Status</th>
                <th scope="col" class="number">
                  Filled
                </th>
                <th scope="col" class="number">
                  Price
                </th>
                <th scope="col">Account</th>
                <th scope="col">
                  <span class="unseen">What you can do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((order) => (
                <OrderRow key={order.id} order={order} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

function OrderRow({ order }: { readonly order: Order }) {
  const { side, quantity, instrument, product, orderType, status, reason } = order;
  return (
    <tr class={isOver(order) ? 'over' : ''} data-order={order.id}>
      <th scope="row">
        <a href={`#/order/${order.id}`}>
          <span class={side === 'BUY' ? 'buy' : 'sell'}>{side}</span> {count(quantity)} {instrument}
        </a>
        <small>
          {product} {orderType} {clockTime(order.createdAt, Date.now())}
          {order.external ? ' placed elsewhere' : ''}
        </small>
      </th>
      <td>
        <span class={`status ${status}`}>{status.replace('_', ' ')}</span>
        {status === 'uncertain' || status === 'disputed' ? (
          <small>{STATUS_WORDS[status]}</small>
        ) : null}
        {reason === null ? null : <small>{reason}</small>}
      </td>
      <td class="number" data-label="Filled">
        {count(order.filledQuantity)}
        {order.averagePrice === null ? null : <small>at {rupees(order.averagePrice)}</small>}
      </td>
      <td class="number" data-label="Price">
        {order.price === null ? 'market' : rupees(order.price)}
        {order.triggerPrice === null ? null : <small>trigger {rupees(order.triggerPrice)}</small>}
      </td>
      <td>
        <ModeTag mode={order.mode} broker={order.broker} />
      </td>
      <td>
        <OrderActions order={order} />
      </td>
    </tr>
  );
}
