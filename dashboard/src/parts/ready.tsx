import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../client/index.ts';
import { type Check, type Found, READY_WORDS, readyChecks } from '../pure/ready.ts';
import { problemOf } from '../store.ts';
import { usePage, useStore } from '../use-store.ts';

/** What has to be as it should be before the market opens. */
export function Ready() {
  const page = usePage();
  const { client } = useStore();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isLeft = false;
    const read = (): void => {
      void readFound(client).then((now) => (isLeft ? undefined : setFound(now)));
    };
    read();
    const timer = setInterval(read, 60_000);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [client, page.session?.obtainedAt]);
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
async function readFound(client: Client): Promise<Found> {
  const read = async <T,>(ask: Promise<{ readonly data: T }>): Promise<T | string> => {
    try {
      return (await ask).data;
    } catch (error) {
      return problemOf(error);
    }
  };
  const began = Date.now();
  const [calendar, readiness, limits, funds, postbacks] = await Promise.all([
    read(client.getCalendar()),
    read(client.getReadiness()),
    read(client.getLimits()),
    read(client.getFunds()),
    gatewayTime(),
  ]);
  return {
    ...{ calendar, readiness, limits, funds },
    clock: postbacks === null ? null : postbacks - (began + Date.now()) / 2,
  };
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
