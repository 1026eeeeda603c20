import { canResolve, isOver, type Order, STATUS_WORDS, termsOf } from '../pure/orders.ts';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ModifyDialog } from './modify-dialog.tsx';
import type { OrderDialogProps } from './order-dialog.ts';
import { ResolveDialog } from './resolve-dialog.tsx';

/** What can be done with an order now. A cancel is offered as long as the order is not over. */
export function OrderActions({ order }: { readonly order: Order }) {
  const { who } = usePage();
  const show = useDialog();
  const dialog = { order, onClose: () => show(null) };
  if (isOver(order) || who?.scope === 'read') return null;
  const isOpen = order.status === 'uncertain' || order.status === 'disputed';
  const about = `: ${order.side} ${order.quantity} ${order.instrument}`;
  return (
    <span class="actions">
      {canResolve(order) && who?.scope === 'admin' ? (
        <button type="button" class="primary" onClick={() => show(<ResolveDialog {...dialog} />)}>
          Resolve<span class="unseen">{about}</span>
        </button>
      ) : null}
      {isOpen ? null : (
        <button type="button" onClick={() => show(<ModifyDialog {...dialog} />)}>
          Modify<span class="unseen">{about}</span>
        </button>
      )}
      <button type="button" onClick={() => show(<CancelDialog {...dialog} />)}>
        Cancel<span class="unseen">{about}</span>
      </button>
    </span>
  );
}

function CancelDialog({ order, onClose }: OrderDialogProps) {
  return (
    <ActionDialog
      title="Cancel this order?"
      confirm="Cancel it"
      isDangerous
      onClose={onClose}
      request={() => ({
        words: `Cancel ${termsOf(order)}`,
        request: { call: 'cancelOrder', input: { id: order.id } },
      })}
    >
      <p>
        {termsOf(order)} at {order.broker}: {STATUS_WORDS[order.status]}. What has filled stays
        filled.
      </p>
      {order.status === 'uncertain' ? (
        <p class="quiet">The cancel is kept until it is known whether the broker has the order.</p>
      ) : null}
    </ActionDialog>
  );
}
