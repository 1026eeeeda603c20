import { useState } from 'preact/hooks';
import { termsOf } from '../pure/orders.ts';
import { ActionDialog } from './action-dialog.tsx';
import { Field } from './field.tsx';
import type { OrderDialogProps } from './order-dialog.ts';

/** A person's word on an order of which nobody knows what became of it (docs/orders.md). */
export function ResolveDialog({ order, onClose }: OrderDialogProps) {
  const [choice, setChoice] = useState<'placed' | 'absent' | null>(null);
  const [placed, setPlaced] = useState('');
  const [isForced, setForced] = useState(false);
  const request = () => {
    const id = placed.trim();
    if (choice === null || (choice === 'placed' && id === '')) return null;
    const force = isForced ? { force: true as const } : {};
    const body = choice === 'absent' ? { absent: true as const } : { placed: id, ...force };
    const words =
      choice === 'absent'
        ? `Resolve ${termsOf(order)}: the broker does not have it`
        : `Resolve ${termsOf(order)}: the broker has it as ${id}${isForced ? ', although it differs' : ''}`;
    return { words, request: { call: 'resolveOrder' as const, input: { id: order.id, body } } };
  };
  return (
    <ActionDialog
      title="What does the app of the broker show?"
      confirm="This is what it shows"
      isDangerous
      onClose={onClose}
      request={request}
    >
      <p>
        {termsOf(order)} at {order.broker}. {order.reason}
      </p>
      <p class="quiet">
        Look at the order book in the app of {order.broker} first. The gateway believes you, and
        writes down that it was you.
      </p>
      <fieldset>
        <legend>The order is</legend>
        <label class="choice">
          <input
            type="radio"
            name="resolution"
            required
            checked={choice === 'placed'}
            onChange={() => setChoice('placed')}
          />
          there, under the order id of the broker below
        </label>
        <label class="choice">
          <input
            type="radio"
            name="resolution"
            required
            checked={choice === 'absent'}
            onChange={() => setChoice('absent')}
          />
          not there: it was never placed
        </label>
      </fieldset>
      {choice === 'placed' ? (
        <>
          <Field label="Order id of the broker" value={placed} onValue={setPlaced} mode="text" />
          <label class="choice">
            <input
              type="checkbox"
              checked={isForced}
              onChange={({ currentTarget }) => setForced(currentTarget.checked)}
            />
            It is this order although instrument, side or quantity differ there, or cannot be read.
            Leave this empty unless the gateway has refused the id.
          </label>
        </>
      ) : null}
    </ActionDialog>
  );
}
