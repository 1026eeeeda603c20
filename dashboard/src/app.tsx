import { useEffect, useState } from 'preact/hooks';
import { keepToken, keptToken, signInWith, takeLink } from './sign-in.ts';
import { SignedOut } from './pages/signed-out.tsx';
import { Shell } from './shell.tsx';

type State =
  | { readonly is: 'signing-in'; readonly link: string }
  | { readonly is: 'signed-out'; readonly reason: string | null }
  | { readonly is: 'signed-in'; readonly token: string };

function first(): State {
  const link = takeLink();
  if (link !== null) return { is: 'signing-in', link };
  const token = keptToken();
  return token === null ? { is: 'signed-out', reason: null } : { is: 'signed-in', token };
}

/** Who uses the page: nobody yet, or a browser that is signed in. */
export function App() {
  const [state, setState] = useState<State>(first);

  useEffect(() => {
    // A link that is opened while the page is there changes the fragment alone.
    const look = (): void => {
      const link = takeLink();
      if (link !== null) setState({ is: 'signing-in', link });
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);

  useEffect(() => {
    if (state.is !== 'signing-in') return;
    void signInWith(state.link).then((reason) => {
      const token = keptToken();
      if (reason === null && token !== null) setState({ is: 'signed-in', token });
      else setState({ is: 'signed-out', reason });
    });
  }, [state]);

  if (state.is === 'signing-in')
    return (
      <main>
        <p role="status">Signing in…</p>
      </main>
    );
  if (state.is === 'signed-out') return <SignedOut reason={state.reason} />;
  const end = (reason: string | null): void => {
    keepToken(null);
    setState({ is: 'signed-out', reason });
  };
  return <Shell key={state.token} token={state.token} onEnd={end} />;
}
