import { useEffect, useState } from 'preact/hooks';
import type { Client, Schemas } from '../../../client/index.ts';
import type { Account } from '../pure/stop-words.ts';
import { type Check, type Expiring, type Found, READY_WORDS } from '../pure/checks.ts';
import { readyChecks } from '../pure/ready.ts';
import { problemOf } from '../problem-of.ts';
import { repeatWhileSeen } from '../sight.ts';
import { systemSight } from '../system-sight.ts';
import { usePage, useStore } from '../use-store.ts';

/** What has to be as it should be before the market opens. */
export function Ready() {
  const page = usePage();
  const { client } = useStore();
  const held = heldContracts(page.accounts ?? []).join();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isLeft = false;
    const read = (): void => {
      void readFound(client, held).then((now) => (isLeft ? undefined : setFound(now)));
    };
    const stop = repeatWhileSeen(systemSight, 60_000, read);
    return () => {
      isLeft = true;
      stop();
    };
  }, [client, page.session?.obtainedAt, held]);
  const checks = found === null ? null : readyChecks(found, page, Date.now());
  return (
    <section aria-labelledby="ready">
      <h2 id="ready">Ready?</h2>
      {checks === null ? <p>Asking the gateway…</p> : null}
      <ul class="checks">
        {checks?.map((check) => (
          <CheckItem key={check.what} check={check} />
        ))}
      </ul>
    </section>
  );
}

function CheckItem({ check: { is, what, words } }: { readonly check: Check }) {
  return (
    <li class={is}>
      <span class="mark">{READY_WORDS[is]}</span> <strong>{what}</strong> {words}
    </li>
  );
}

/** Each read for itself: one that fails says so in its own line. */
async function readFound(client: Client, held: string): Promise<Found> {
  const read = async <T,>(ask: Promise<{ readonly data: T }>): Promise<T | string> => {
    try {
      return (await ask).data;
    } catch (error) {
      return problemOf(error);
    }
  };
  const calendar = await read(client.getCalendar());
  const began = Date.now();
  const [readiness, limits, funds, holdings, expiring, told] = await Promise.all([
    read(client.getReadiness()),
    read(client.getLimits()),
    read(client.getFunds()),
    read(client.getHoldings()),
    typeof calendar === 'string'
      ? calendar
      : read(readExpiring(client, held, calendar).then((data) => ({ data }))),
    gatewayTime(),
  ]);
  return {
    ...{ calendar, readiness, limits, funds, holdings, expiring },
    clock: told === null ? null : told - (began + Date.now()) / 2,
  };
}

/** Futures and options that are held. */
function heldContracts(accounts: readonly Account[]): readonly string[] {
  const held = accounts.flatMap(({ positions }) => positions ?? []);
  const names = held.filter(({ quantity }) => quantity !== 0).map(({ instrument }) => instrument);
  return [...new Set(names)].filter((name) => !/^(NSE|BSE):/.test(name)).toSorted();
}

const INDICES = ['NIFTY', 'BANKNIFTY', 'SENSEX'] as const;

/** Of the contracts that are held, when they expire; and which indices have contracts that expire soon. */
async function readExpiring(
  client: Client,
  held: string,
  { today, nextTradingDay }: Schemas['Calendar'],
): Promise<readonly Expiring[]> {
  const names = held === '' ? [] : held.split(',');
  const ofHeld = names.map(async (name): Promise<readonly Expiring[]> => {
    const { expiry } = (await client.getInstrument({ instrument: name })).data;
    return expiry === null ? [] : [{ name, expiry, isHeld: true }];
  });
  const days = [today, nextTradingDay];
  const ofIndices = INDICES.flatMap((name) =>
    days.map(async (expiry): Promise<readonly Expiring[]> => {
      const asked = { q: name, segment: 'DERIVATIVE', expiry, limit: 100 } as const;
      const { data } = await client.searchInstruments(asked);
      const isThere = data.some(({ tradingSymbol }) => tradingSymbol.startsWith(name));
      return isThere ? [{ name, expiry, isHeld: false }] : [];
    }),
  );
  return (await Promise.all([...ofHeld, ...ofIndices])).flat();
}

/** The wall clock of the gateway's machine, as the head of an answer tells it; null where none does. */
async function gatewayTime(): Promise<number | null> {
  try {
    const response = await fetch('/health/live', { cache: 'no-store' });
    const told = Date.parse(response.headers.get('Date') ?? '');
    return Number.isNaN(told) ? null : told + 500;
  } catch {
    return null;
  }
}
