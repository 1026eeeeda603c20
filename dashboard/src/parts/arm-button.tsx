import { useState } from 'preact/hooks';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';

/** Lets orders pass on a data directory that is a copy, once the person says that the gateway of the original is stopped. */
export function ArmButton() {
  const { who } = usePage();
  const show = useDialog();
  if (who?.scope !== 'admin') {
    return <p class="quiet">An admin can say that the gateway of the original is stopped.</p>;
  }
  return (
    <button
      type="button"
      class="primary"
      onClick={() => show(<ArmDialog onClose={() => show(null)} />)}
    >
      Let orders pass…
    </button>
  );
}

function ArmDialog({ onClose }: { readonly onClose: () => void }) {
  const [isStopped, setStopped] = useState(false);
  return (
    <ActionDialog
      title="Let orders pass on this data directory?"
      confirm="Let orders pass"
      isDangerous
      onClose={onClose}
      request={() =>
        isStopped
          ? {
              words: 'Let orders pass: the gateway of the original is stopped',
              request: { call: 'arm', input: { body: { oldGatewayIsStopped: true } } },
            }
          : null
      }
    >
      <p>
        From then on this gateway sends orders, cancels, exits and triggers to your brokers, for
        every key that may trade. It stays so over restarts, and the journal has who said it.
      </p>
      <p>
        Stop the gateway of the original first, and see to it that it is not started again: two
        gateways on copies of one data directory can sell a position twice.
      </p>
      <p class="quiet">
        Compare positions and orders with the app of your broker before: what the original sent
        since the copy was made is not in this directory.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          required
          checked={isStopped}
          onChange={({ currentTarget }) => setStopped(currentTarget.checked)}
        />
        The gateway of the original is stopped for good.
      </label>
    </ActionDialog>
  );
}
