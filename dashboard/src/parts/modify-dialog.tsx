import { useState } from 'preact/hooks';
import { numberOf } from '../pure/entry.ts';
import { termsOf } from '../pure/orders.ts';
import { ActionDialog } from './action-dialog.tsx';
import { Field } from './field.tsx';
import type { OrderDialogProps } from './order-dialog.ts';

/** Another quantity or price for an order; what is left as it is is not sent. */
export function ModifyDialog({ order, onClose }: OrderDialogProps) {
  const [quantity, setQuantity] = useState(String(order.quantity));
  const [price, setPrice] = useState(String(order.price ?? ''));
  const [trigger, setTrigger] = useState(String(order.triggerPrice ?? ''));
  const [isEmpty, setEmpty] = useState(false);
  const changed = (text: string, now: number | null): number | null => {
    const value = numberOf(text);
    return value === now ? null : value;
  };
  const request = () => {
    const body = {
      ...given('quantity', changed(quantity, order.quantity)),
      ...(order.price === null ? {} : given('price', changed(price, order.price))),
      ...(order.triggerPrice === null
        ? {}
        : given('triggerPrice', changed(trigger, order.triggerPrice))),
    };
    setEmpty(Object.keys(body).length === 0);
    if (Object.keys(body).length === 0) return null;
    return {
      words: `Modify ${termsOf(order)}`,
      // At least one of the members is there.
      request: {
        ...{ call: 'modifyOrder' as const },
        input: { id: order.id, body: body as { quantity: number } },
      },
    };
  };
  return (
    <ActionDialog
      title="Modify this order"
      confirm="Send the change"
      onClose={onClose}
      request={request}
    >
      <p>
        Now: {termsOf(order)} at {order.broker}. The broker may fill it while the change is on its
        way.
      </p>
      <Field label="Quantity" value={quantity} onValue={setQuantity} mode="numeric" />
      {order.price === null ? null : <Field label="Price, ₹" value={price} onValue={setPrice} />}
      {order.triggerPrice === null ? null : (
        <Field label="Trigger price, ₹" value={trigger} onValue={setTrigger} />
      )}
      {isEmpty ? <p role="alert">Nothing is changed yet.</p> : null}
    </ActionDialog>
  );
}

const given = (name: string, value: number | null): object =>
  value === null ? {} : { [name]: value };
