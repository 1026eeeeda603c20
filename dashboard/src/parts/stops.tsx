import { useState } from 'preact/hooks';
import { openOrders } from '../pure/orders.ts';
import {
  type Account,
  cancelAllWords,
  closeAllWords,
  killSwitchWords,
  releaseWords,
  type StopWords,
} from '../pure/stop-words.ts';
import { readOwnAccounts, readOwnOrders } from '../read-own.ts';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { useRead } from './use-read.ts';

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
  const { orders, who, overview } = usePage();
  const [reason, setReason] = useState('');
  const isAdmin = who?.scope === 'admin';
  const scope = isAdmin ? 'account' : 'mine';
  const common = { isDangerous: stop !== 'release', onClose } as const;
  if (stop === 'kill' || stop === 'release') {
    const engaged = stop === 'kill';
    const words = engaged
      ? killSwitchWords(openOrders(orders ?? new Map()))
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
      {isAdmin ? (
        <Words words={cancelAllWords(openOrders(orders ?? new Map()), true)} />
      ) : (
        <CancelOwn />
      )}
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
      {isAdmin ? <CloseAccount /> : <CloseOwn />}
    </ActionDialog>
  );
}

function CloseAccount() {
  return <Words words={closeAllWords(usePage().accounts ?? [], null)} />;
}

const ASKING = 'Asking the gateway what of it is your key’s. The button works meanwhile.';
const NO_ACCOUNTS: readonly Account[] = [];

/** What of the accounts the orders of the key have made: the rest is not closed. Read again with each fill. */
function CloseOwn() {
  const { accounts, events } = usePage();
  const known = accounts ?? NO_ACCOUNTS;
  const fill = events.find(({ type }) => type === 'order.fill')?.id ?? '';
  const brokers = known.map(({ broker }) => broker);
  const own = useRead(`own positions ${fill} ${brokers.join()}`, (client) =>
    readOwnAccounts(client, brokers),
  );
  if (own === null) return <p>{ASKING}</p>;
  const read =
    'data' in own
      ? own.data
      : brokers.map((broker) => ({
          ...{ broker, positions: null, problem: own.problem, uncertain: [] },
        }));
  return <Words words={closeAllWords(known, read)} />;
}

/** The open orders of the key: those of other keys are not cancelled. Read again with each event of an order. */
function CancelOwn() {
  const { events } = usePage();
  const newest = events.find(({ type }) => type.startsWith('order.'))?.id ?? '';
  const own = useRead(`own orders ${newest}`, readOwnOrders);
  if (own === null) return <p>{ASKING}</p>;
  return <Words words={cancelAllWords('data' in own ? own.data : null, false)} />;
}

function List({ items }: { readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

function Words({ words: { lead, items, stays, notes } }: { readonly words: StopWords }) {
  return (
    <>
      <p>{lead}</p>
      <List items={items} />
      {stays === undefined ? null : (
        <>
          <p>{stays.lead}</p>
          <List items={stays.items} />
        </>
      )}
      {notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </>
  );
}
