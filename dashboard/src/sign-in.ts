import { createClient, NoAnswerError, ProblemError } from '../../client/index.ts';

/** Scripts of this origin alone read it, and without the cookie of the sign-in it is no use (docs/dashboard.md). */
const KEPT_AS = 'altbroker-sign-in';
const LINK = /^#sign-in=(abl_[0-9a-f]{64})$/;

export function keptToken(): string | null {
  return localStorage.getItem(KEPT_AS);
}

export function keepToken(token: string | null): void {
  if (token === null) localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, token);
}

/** The link in the address, which is taken out of it at once: neither the history nor a bookmark keeps it. */
export function takeLink(): string | null {
  const link = LINK.exec(location.hash)?.[1] ?? null;
  if (location.hash.startsWith('#sign-in=')) history.replaceState(null, '', '/');
  return link;
}

/** Signs this browser in, and keeps its token. Null, or a sentence that says why it is not signed in. */
export async function signInWith(link: string): Promise<string | null> {
  const client = createClient({ baseUrl: location.origin, key: 'none', patienceMs: 0 });
  try {
    const { data } = await client.signIn({ body: { link } });
    keepToken(data.token);
    return null;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title;
    if (error instanceof NoAnswerError) {
      return 'The gateway did not answer, so it is not known whether the link is used up: get another one.';
    }
    throw error;
  }
}
