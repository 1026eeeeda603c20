import { useLayoutEffect } from 'preact/hooks';
import { SIGNED_OUT_TITLE } from '../pure/places.ts';

/** What a browser without a sign-in sees: nothing of the account, and how to sign in. */
export function SignedOut({ reason }: { readonly reason: string | null }) {
  // Before the page is painted: the title and the heading are of one page.
  useLayoutEffect(() => {
    document.title = SIGNED_OUT_TITLE;
  }, []);
  return (
    <main class="narrow">
      <h1>Sign in to the gateway</h1>
      {reason === null ? null : (
        <p role="alert" class="notice warn">
          {reason}
        </p>
      )}
      <p>
        This browser is not signed in. On the machine where the gateway runs, in its directory, type
      </p>
      <pre>
        <code>npx altbroker-gateway open</code>
      </pre>
      <p>
        That opens this page and signs it in. The gateway also prints such a link when it starts in
        a terminal. A link works once, within ten minutes.
      </p>
    </main>
  );
}
