import type { KiteSettings } from '../kernel/settings.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { formOf } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import { textReply } from '../kernel/wire.ts';
import type { KiteSession } from './session.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

function loginPage(settings: KiteSettings, redirectParams: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sandbox broker: sign in</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; background: #f4f5f7; color: #1c1f26; margin: 0 }
main { max-width: 22rem; margin: 12vh auto; padding: 2rem; background: #fff;
  border: 1px solid #d9dce3; border-radius: 8px }
h1 { font-size: 1.25rem; margin: 0 0 .5rem }
button { font: inherit; padding: .6rem 1.2rem; border-radius: 6px; border: 1px solid #b3261e;
  background: #b3261e; color: #fff; cursor: pointer }
button.plain { background: #fff; color: #1c1f26; border-color: #b9bec9 }
</style>
</head>
<body>
<main>
<h1>Sign in to the sandbox broker</h1>
<p>This is a rehearsal: no real account, no real money. You are <b>${escapeHtml(settings.userId)}</b>.</p>
<form method="post" action="/connect/login">
<input type="hidden" name="api_key" value="${escapeHtml(settings.apiKey)}">
<input type="hidden" name="redirect_params" value="${escapeHtml(redirectParams)}">
<button name="decision" value="sign_in">Sign in</button>
<button class="plain" name="decision" value="refuse">Refuse</button>
</form>
</main>
</body>
</html>
`;
}

function decided(settings: KiteSettings, session: KiteSession, call: Call): Reply {
  const form = formOf(call.request);
  const target = new URL(settings.redirectUrl);
  const signsIn = form.get('decision') === 'sign_in';
  target.searchParams.set('action', 'login');
  target.searchParams.set('type', 'login');
  target.searchParams.set('status', signsIn ? 'success' : 'cancelled');
  if (signsIn) target.searchParams.set('request_token', session.issueRequestToken());
  for (const [name, value] of new URLSearchParams(form.get('redirect_params') ?? '')) {
    target.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: target.href, 'content-type': 'text/html' }, body: '' };
}

/** The page that a browser opens; the caller's `redirect_params` return in the redirect. */
export function loginRoutes(settings: KiteSettings, session: KiteSession): Route[] {
  const guarded = (apiKey: string | null, act: () => Reply): Reply =>
    apiKey === settings.apiKey
      ? act()
      : textReply(400, 'text/html; charset=utf-8', '<!doctype html><p>Invalid api_key.</p>');
  return [
    {
      method: 'GET',
      pattern: '/connect/login',
      category: 'page',
      open: true,
      run: (call) =>
        guarded(call.query.get('api_key'), () =>
          textReply(
            200,
            'text/html; charset=utf-8',
            loginPage(settings, call.query.get('redirect_params') ?? ''),
          ),
        ),
    },
    {
      method: 'POST',
      pattern: '/connect/login',
      category: 'page',
      open: true,
      run: (call) =>
        guarded(formOf(call.request).get('api_key'), () => decided(settings, session, call)),
    },
  ];
}
