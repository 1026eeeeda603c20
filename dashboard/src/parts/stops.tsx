import { useState } from 'preact/hooks';
import { openOrders } from '../pure/orders.ts';
import {
  cancelAllWords,
  closeAllWords,
  killSwitchWords,
  releaseWords,
  type StopWords,
} from '../pure/stop-words.ts';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';

type Stop = 'kill' | 'release' | 'cancel' | 'close';

/** The buttons that stop things, each confirmed once. A way out is never disabled, also where little is known. */
export function Stops() {
  const { overview, who } = usePage();
  const show = useDialog();
  const ask = (stop: Stop): void => show(<StopDialog stop={stop} onClose={() => show(null)} />);
  const isEngaged = overview?.killSwitch.engaged === true;
  if (who?.scope === 'read') return <p class="quiet">This sign-in may look, and change nothing.</p>;
  return (
    <div class="stops" role="group" aria-label="Stop">
      {isEngaged ? null : (
        <button type="button" class="danger" onClick={() => ask('kill')}>
          Kill switch…
        </button>
      )}
      {isEngaged && who?.scope === 'admin' ? (
        <button type="button" onClick={() => ask('release')}>
          Release the kill switch…
        </button>
      ) : null}
      <button type="button" class="danger" onClick={() => ask('cancel')}>
        Cancel all orders…
      </button>
      <button type="button" class="danger" onClick={() => ask('close')}>
        Close all positions…
      </button>
    </div>
  );
}

const REASON = 'from the dashboard';

function StopDialog({ stop, onClose }: { readonly stop: Stop; readonly onClose: () => void }) {
  const { orders, accounts, who, overview } = usePage();
  const [reason, setReason] = useState('');
  const open = openOrders(orders ?? new Map());
  const isAdmin = who?.scope === 'admin';
  const scope = isAdmin ? 'account' : 'mine';
  const common = { isDangerous: stop !== 'release', onClose } as const;
  if (stop === 'kill' || stop === 'release') {
    const engaged = stop === 'kill';
    const words = engaged
      ? killSwitchWords(open)
      : releaseWords(overview?.killSwitch.reason ?? null);
    const title = engaged ? 'Engage the kill switch?' : 'Release the kill switch?';
    return (
      <ActionDialog
        {...common}
        title={title}
        confirm={engaged ? 'Engage it' : 'Release it'}
        request={() => ({
          words: engaged ? 'Engage the kill switch' : 'Release the kill switch',
          request: {
            call: 'setKillSwitch',
            input: { body: { engaged, reason: reason.trim() === '' ? REASON : reason.trim() } },
          },
        })}
      >
        <Words words={words} />
        <label>
          Why, for the journal
          <input
            maxLength={200}
            value={reason}
            placeholder={REASON}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
      </ActionDialog>
    );
  }
  return stop === 'cancel' ? (
    <ActionDialog
      {...common}
      title="Cancel all orders?"
      confirm="Cancel them"
      request={() => ({
        words: 'Cancel all orders',
        request: { call: 'cancelAll', input: { body: { scope } } },
      })}
    >
      <Words words={cancelAllWords(open, isAdmin)} />
    </ActionDialog>
  ) : (
    <ActionDialog
      {...common}
      title="Close all positions?"
      confirm="Close them"
      request={() => ({
        words: 'Close all positions',
        request: { call: 'closeAll', input: { body: { scope } } },
      })}
    >
      <Words words={closeAllWords(accounts ?? [], isAdmin)} />
    </ActionDialog>
  );
}

function Words({ words: { lead, items, notes } }: { readonly words: StopWords }) {
  return (
    <>
      <p>{lead}</p>
      {items.length === 0 ? null : (
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </>
  );
}
