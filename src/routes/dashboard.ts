import { z } from 'zod';
import { defineRoute, type Reply, type Route } from './define-route.ts';
import { htmlPage } from './html-page.ts';

/** The files of the page, by name; null for one that was not built. */
export type DashboardFiles = (name: string) => string | null;

/** What the page may load and call: this gateway alone. No script and no style is inside the page. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  ...["img-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const FILES = [
  ['app.js', 'getDashboardScript', 'text/javascript', 'The script of the dashboard'],
  ['app.css', 'getDashboardStyle', 'text/css', 'The style of the dashboard'],
  ['icon.svg', 'getDashboardIcon', 'image/svg+xml', 'The icon of the dashboard'],
] as const;

/** The page for people (docs/dashboard.md). It holds nothing secret: what it shows it reads with its sign-in. */
export function dashboardRoutes(files: DashboardFiles): readonly Route[] {
  const common = { method: 'GET', scope: 'none', tag: 'Dashboard' } as const;
  return [
    defineRoute({
      ...common,
      path: '/',
      operationId: 'getDashboard',
      summary: 'The dashboard, for people',
      problems: [],
      replies: { 200: { description: 'The page', schema: z.string(), contentType: 'text/html' } },
      handler: () => pageOf(files),
    }),
    ...FILES.map(([name, operationId, contentType, summary]) =>
      defineRoute({
        ...common,
        path: `/dashboard/${name}`,
        ...{ operationId, summary },
        problems: [],
        replies: { 200: { description: summary, schema: z.string(), contentType } },
        handler: () => text(contentType, files(name) ?? ''),
      }),
    ),
  ];
}

function pageOf(files: DashboardFiles): Reply {
  const page = files('index.html');
  if (page === null || files('app.js') === null) {
    const body =
      '<p>The dashboard is not built. Run <code>npm ci</code>, or <code>npm run dashboard</code>, where the gateway ' +
      'is installed, and load this page again. Everything else works: <a href="/docs">what there is</a>.</p>';
    return {
      status: 200,
      content: { kind: 'html', page: (nonce) => htmlPage('altbroker-gateway', body, nonce) },
    };
  }
  return { ...text('text/html', page), headers: { 'Content-Security-Policy': POLICY } };
}

const text = (type: string, content: string): Reply => ({
  status: 200,
  content: { kind: 'text', text: content, type },
});
