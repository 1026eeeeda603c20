import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILE_SETTING, SETTING_NAMES } from '../../src/config/names.ts';
import { EVENT_TYPES } from '../../src/events/event-log.ts';
import { JOURNAL_VERSION } from '../../src/execution/journal/schema.ts';
import { routesWithoutGateway } from '../support/gateway-document.ts';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

function sectionOf(page: string, heading: string): string {
  const [, section = ''] = textOf(page).split(`\n## ${heading}\n`);
  return section.split('\n## ')[0] ?? '';
}

/** The code spans of the first column of a section's table. */
const firstColumn = (section: string): readonly string[] =>
  section.split('\n').flatMap((line) => spansOf(line.split('|')[1] ?? ''));

const spansOf = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

interface DocumentedRoute {
  readonly path: string;
  /** Null where the page names the path alone. */
  readonly methods: readonly string[] | null;
}

/** `GET`, `PATCH /orders/{id}` is a path with two methods; `…/fills` is below or beside the path before it. */
function documentedRoutes(): readonly DocumentedRoute[] {
  const routes: DocumentedRoute[] = [];
  let methods: string[] = [];
  for (const span of spansOf(sectionOf('docs/routes.md', 'All routes'))) {
    const [, method, path] = /^([A-Z]+)?(?: ?([/…]\S*))?$/.exec(span) ?? [];
    if (method !== undefined) methods.push(method);
    if (path === undefined) continue;
    routes.push({ path, methods: method === undefined ? null : methods });
    methods = [];
  }
  return routes;
}

const shortened = (path: string): string =>
  path.replace('/api/v1', '').replace(/^\/api\/altbroker(?!\/login)/, '');
const names = ({ path }: DocumentedRoute, served: string): boolean =>
  path === served ||
  path === shortened(served) ||
  (path.startsWith('…') && served.endsWith(path.slice(1)));

describe('docs/routes.md', () => {
  const documented = documentedRoutes();
  // The files of the dashboard's page are parts of that page.
  const served = routesWithoutGateway().filter(({ path }) => !path.startsWith('/dashboard/'));

  it('names each route that is served, with its method where it names methods', () => {
    const missing = served.filter(({ method, path }) => {
      const found = documented.filter((each) => names(each, path));
      return !found.some(({ methods }) => methods === null || methods.includes(method));
    });
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('names no other', () => {
    const others = documented.flatMap((each) => {
      const found = served.filter(({ path }) => names(each, path));
      if (found.length === 0) return [each.path];
      const unknown = each.methods?.filter((name) => !found.some(({ method }) => method === name));
      return (unknown ?? []).map((method) => `${method} ${each.path}`);
    });
    // A route is addressed at `/api/v1`, which is no route itself.
    expect(others.filter((path) => path !== '/api/v1')).toEqual([]);
  });
});

it('docs/settings.md names each setting', () => {
  const lines = textOf('docs/settings.md').split('\n').map(spansOf);
  // `APP_PRIMARY_API_KEY`, `…_MPIN`: the second begins as the first of its line.
  const isNamed = (setting: string): boolean =>
    lines.some(
      ([first = '', ...others]) =>
        first === setting ||
        others.includes(setting) ||
        others.some(
          (each) =>
            each.startsWith('…_') &&
            setting.endsWith(each.slice(1)) &&
            first.startsWith(setting.slice(0, -each.length + 1)),
        ),
    );
  expect([FILE_SETTING, ...SETTING_NAMES].filter((name) => !isNamed(name))).toEqual([]);
});

it('docs/operations.md names each metric', () => {
  const sources = ['metrics', 'gauges'].map((name) => textOf(`src/metrics/${name}.ts`)).join('\n');
  const metrics = [
    ...[...sources.matchAll(/'(altbroker_\w+)'/g)].map(([, name = '']) => name),
    ...[...sources.matchAll(/\bgauge\(\s*'(\w+)'/g)].map(([, name = '']) => `altbroker_${name}`),
  ];
  expect(metrics.length).toBeGreaterThan(12);
  const page = textOf('docs/operations.md').replace(
    '`…_waited_seconds_total`',
    '`altbroker_limit_waited_seconds_total`',
  );
  expect(metrics.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('docs/architecture.md has each type of event once, and no other', () => {
  const documented = firstColumn(sectionOf('docs/architecture.md', 'Events'));
  expect(documented.toSorted()).toEqual([...EVENT_TYPES].toSorted());
});

describe('docs/spec/journal.md', () => {
  it('has each table of the journal once, and no other', () => {
    const folder = 'src/execution/journal/';
    const tables = readdirSync(new URL(folder, root)).flatMap((file) =>
      [...textOf(`${folder}${file}`).matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name),
    );
    const documented = firstColumn(sectionOf('docs/spec/journal.md', 'Tables'));
    expect(documented.toSorted()).toEqual(tables.toSorted());
  });

  it('says the version of the journal', () => {
    expect(textOf('docs/spec/journal.md')).toContain(`a version, now ${JOURNAL_VERSION}.`);
  });
});
