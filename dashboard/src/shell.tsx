import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Client, createClient, ProblemError, type Schemas } from '../../client/index.ts';

export interface ShellProps {
  readonly token: string;
  /** The browser is signed out; `reason` where it did not ask for it. */
  readonly onEnd: (reason: string | null) => void;
}

/** The frame of all pages of a browser that is signed in. */
export function Shell({ token, onEnd }: ShellProps) {
  const client = useMemo(() => createClient({ baseUrl: location.origin, key: token }), [token]);
  const [who, setWho] = useState<Schemas['SignIn'] | null>(null);
  const [overview, setOverview] = useState<Schemas['Overview'] | null>(null);

  useEffect(() => {
    const read = async (): Promise<void> => {
      setWho((await client.getSignIn()).data);
      setOverview((await client.getOverview()).data);
    };
    read().catch((error: unknown) => {
      if (!(error instanceof ProblemError) || error.code !== 'unauthorized') throw error;
      onEnd('The sign-in of this browser has ended.');
    });
  }, [client]);

  return (
    <>
      <header class="bar">
        <strong>altbroker-gateway</strong>
        <span class="grow" />
        {who === null ? null : <span>{who.key.name}</span>}
        <button type="button" onClick={() => void signOut(client, onEnd)}>
          Sign out
        </button>
      </header>
      <main>
        <h1>Can I trade?</h1>
        <p role="status">{overview?.sentence ?? 'Asking the gateway…'}</p>
      </main>
    </>
  );
}

async function signOut(client: Client, onEnd: ShellProps['onEnd']): Promise<void> {
  try {
    await client.signOut();
    onEnd(null);
  } catch {
    onEnd(
      'This page forgot its sign-in, but the gateway did not answer: it ends by itself within a week.',
    );
  }
}
