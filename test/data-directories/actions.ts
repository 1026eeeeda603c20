import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import type { OrderModification, OrderRequest } from '../../src/domain/order.ts';
import { context, orderRequest, type Running } from './running.ts';
import type { Brokers } from './brokers.ts';

/** What a scenario does. A call that is begun goes on while the clock is advanced. */
export interface Actions {
  pause(ms: number): Promise<void>;
  /** Sends an order under a key; what is not given is that of `orderRequest`. */
  begin(key: string, more?: Partial<OrderRequest>): void;
  /** Sends an order, and resolves with its id when it is answered, well or badly. */
  place(key: string, more?: Partial<OrderRequest>): Promise<string>;
  /** The id of the order under a key. */
  find(key: string): Promise<string>;
  beginCancel(id: string): void;
  beginModify(id: string, price: number): void;
  cancel(id: string): Promise<void>;
  modify(id: string, price: number): Promise<void>;
  /** Spoils one answer of the broker that has this path. */
  spoil(kind: FaultKind, method: string, path: string, more?: Partial<FaultRule>): void;
  /** The next placing is taken, its answer is lost, and its row is hidden for so long. */
  lose(path: '/orders' | '/order', hiddenMs: number): void;
}

const NOTHING: OrderModification = {
  quantity: null,
  price: null,
  triggerPrice: null,
  orderType: null,
  validity: null,
};

export function createActions(brokers: Brokers, running: Running, day: string): Actions {
  const { gateway } = running.composed;
  // A refusal is one of the wanted outcomes; the order then says what became of it.
  const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(() => null);
  const send = (key: string, more: Partial<OrderRequest> = {}): Promise<unknown> =>
    quietly(gateway.placeOrder(orderRequest(more), context(key)));
  const cancel = (id: string): Promise<unknown> =>
    quietly(gateway.cancelOrder(id, context('cancel')));
  const modify = (id: string, price: number): Promise<unknown> =>
    quietly(gateway.modifyOrder(id, { ...NOTHING, price }, context('modify')));
  const spoil: Actions['spoil'] = (kind, method, path, more = {}) => {
    const broker = path.startsWith('/orders') ? 'kite' : 'primary';
    brokers.act({
      kind: 'fault',
      rule: { broker, kind, match: { method, path }, times: 1, ...more },
    });
  };
  async function find(key: string): Promise<string> {
    const orders = await running.ordersOn(day);
    const order = orders.find(({ clientOrderId }) => clientOrderId === key);
    if (order) return order.id;
    throw new Error(`there is no order "${key}"`);
  }

  return {
    pause: (ms) => brokers.time.advance(ms),
    begin: (key, more) => void send(key, more),
    async place(key, more) {
      await running.settle(send(key, more));
      return find(key);
    },
    find,
    beginCancel: (id) => void cancel(id),
    beginModify: (id, price) => void modify(id, price),
    cancel: async (id) => void (await running.settle(cancel(id))),
    modify: async (id, price) => void (await running.settle(modify(id, price))),
    spoil,
    lose(path, hiddenMs) {
      spoil('late_rows', 'POST', path, { params: { delayMs: hiddenMs } });
      spoil('hang_after', 'POST', path);
    },
  };
}
