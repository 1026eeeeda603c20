/**
 * The import rules. An import that no rule allows is forbidden, and each rule says why;
 * test/architecture plants a violation of each. `npm run architecture` checks them.
 */

const ENTRY_POINT_IMPORTS = ['router', 'events', 'callers', 'session', 'domain', 'platform'];
const ENTRY_POINT =
  'An entry point turns requests into calls of the one shared interface, and may read events, ' +
  'callers and the session. An entry point that called execution or a broker directly would ' +
  'bypass the routing policy and the checks before an order; one that used another entry ' +
  'point could not be left out.';
const ADAPTER =
  'An adapter may import the domain, the ports and the kit, and never another adapter: what two ' +
  'brokers seem to share stops being the same when one of them changes. What belongs to no ' +
  'broker, such as reading CSV, is in the kit, so that every adapter has the same guarantees.';

/** Each module, the modules it may import besides `units`, and why it may import no others. */
const modules = [
  [
    'units',
    [],
    'Platform and domain measure time in the same types, so the types build on neither.',
  ],
  ['domain', [], 'Every module builds on the domain types, so they build on none.'],
  ['platform', [], 'The ports to the outside world know nothing about trading.'],
  [
    'adapters/kit',
    ['domain', 'platform'],
    'Every adapter uses the kit: a kit that knew one broker would apply its rules to the others.',
  ],
  ['adapters/primary', ['adapters/kit', 'domain', 'platform'], ADAPTER],
  ['adapters/alt', ['adapters/kit', 'domain', 'platform'], ADAPTER],
  ['adapters/paper', ['adapters/kit', 'domain', 'platform'], ADAPTER],
  [
    'token-store',
    ['domain', 'platform'],
    'It stores a token and does not know what the token is used for.',
  ],
  [
    'session',
    ['token-store', 'domain', 'platform'],
    'A session knows tokens and the port that checks them, and not who trades with it.',
  ],
  [
    'instruments',
    ['domain', 'platform'],
    'Instrument names are the same for every caller; the brokers’ lists are passed in.',
  ],
  [
    'events',
    ['domain', 'platform'],
    'Other modules append to the event log; it calls none of them.',
  ],
  [
    'execution',
    ['events', 'instruments', 'domain', 'platform'],
    'Execution is given the brokers in order; it never calls the router and names no broker.',
  ],
  [
    'portfolio',
    ['instruments', 'domain', 'platform'],
    'Portfolio reads know nothing of orders being placed, so that a read cannot delay an order.',
  ],
  [
    'market-data',
    ['instruments', 'domain', 'platform'],
    'Every caller reads prices in the same way, the paper account included.',
  ],
  [
    'router',
    [
      'execution',
      'portfolio',
      'market-data',
      'instruments',
      'session',
      'events',
      'domain',
      'platform',
    ],
    'The router calls brokers through ports that compose passes in; entry points call the router.',
  ],
  ['routes', ENTRY_POINT_IMPORTS, ENTRY_POINT],
  [
    'mcp',
    ['routes', 'router', 'callers', 'domain', 'platform'],
    'A tool of an assistant is a route under another name: it has the schemas, the checks and the ' +
      'handler of the route, so that there is one way to do each thing. It calls nothing below.',
  ],
  [
    'webhooks',
    ['events', 'domain', 'platform'],
    'It follows events as any reader does, and knows no caller and no order: what it posts is handed in.',
  ],
  [
    'signals',
    ['routes', 'router', 'callers', 'domain', 'platform'],
    'A signal becomes a request of a key: it has the schema and the checks of the route that places an order, ' +
      'and is placed by the shared interface as any other. It calls nothing below.',
  ],
  ['telegram', ENTRY_POINT_IMPORTS, ENTRY_POINT],
  [
    'metrics',
    ['domain', 'platform'],
    'It counts what it is told, and asks nobody: what is measured does not depend on the measuring.',
  ],
  [
    'reminder',
    ['session', 'domain', 'platform'],
    'Session, calendar and clock decide whether to remind; the sender of the text is passed in.',
  ],
  [
    'callers',
    ['domain', 'platform'],
    'The caller is authenticated before anything about trading is known.',
  ],
  [
    'backup',
    ['domain', 'platform'],
    'It copies files while a gateway may be using them, and starts no part of one.',
  ],
  ['config', ['domain', 'platform'], 'Settings are read once, before any other part exists.'],
];
const anyModule = modules.map(([module]) => module).join('|');

/** Types of instants: every module may import them. */
const unitsFor = (module) => (module === 'units' ? [] : ['units']);

const moduleRules = modules.map(([module, imports, why]) => ({
  name: `${module.replace('/', '-')}-imports-${imports.length === 0 ? 'only-itself' : 'only-listed-modules'}`,
  comment: `${module} may import ${imports.length === 0 ? 'itself' : imports.join(', ')}. ${why}`,
  from: { path: `^src/${module}/` },
  to: { path: '^src/', pathNot: `^src/(${[module, ...imports, ...unitsFor(module)].join('|')})/` },
}));

const programRules = [
  {
    name: 'no-import-from-a-folder-without-rules',
    comment: 'A folder that is not in the list of modules has no import rules: add it to the list.',
    from: {},
    to: { path: '^src/', pathNot: `^src/((main|compose)\\.ts$|compose/|(${anyModule})/)` },
  },
  {
    name: 'a-folder-without-rules-imports-nothing',
    comment: 'As no-import-from-a-folder-without-rules, for a file that no other file imports yet.',
    from: { path: '^src/', pathNot: `^src/((main|compose)\\.ts$|compose/|(${anyModule})/)` },
    to: {},
  },
  {
    name: 'main-imports-only-compose',
    comment:
      'main reads the command line and .env, starts and stops the gateway, and reports errors that the user can correct. compose ' +
      'wires the parts, so that a test or another program gets the same gateway without a ' +
      'process around it.',
    from: { path: '^src/main\\.ts$' },
    to: {
      path: '^src/',
      pathNot:
        '^src/(compose(/(bridge|upgrade))?\\.ts$|backup/|callers/keys-command\\.ts$|config/|platform/)',
    },
  },
  {
    name: 'no-import-of-main',
    comment:
      'Importing main starts a gateway on real ports and real brokers: only the command that is asked to start ' +
      'one does it.',
    from: { pathNot: '^cli/main\\.ts$' },
    to: { path: '^src/main\\.ts$' },
  },
  {
    name: 'cli-uses-the-client',
    comment:
      'A command is a program of the trader: it reaches the gateway by the client, over HTTP, and knows nothing ' +
      'of what is behind it. The settings say where the gateway is. How money and a report are worded is the same everywhere.',
    from: { path: '^cli/' },
    to: {
      path: '^(src|client|sandbox|test|bench)/',
      pathNot:
        '^(client/index|src/main|src/domain/(rupees|report-words)|sandbox/demo/main)\\.ts$|^src/(config|platform)/',
    },
  },
  {
    name: 'dashboard-uses-the-client',
    comment:
      'The page is a program of the trader in a browser: it reaches the gateway by the client, and has the types of ' +
      'the API from there. What it imports, a browser loads: Preact, and no other library.',
    from: { path: '^dashboard/src/' },
    to: {
      pathNot:
        '^dashboard/src/|^client/index\\.ts$|^(node_modules/)?preact(/|$)|^\\.\\.?/.*\\.css$',
    },
  },
  {
    name: 'bar-of-the-demo-imports-no-page',
    comment:
      'The bar is a script of its own beside the page, built apart from it, so that the page has nothing of the demo. It ' +
      'shares the types of what the demo tells.',
    from: { path: '^dashboard/demo/', pathNot: '^dashboard/demo/vite\\.config\\.ts$' },
    to: {
      pathNot:
        '^dashboard/demo/|^sandbox/demo/run-record\\.ts$|^(node_modules/)?preact(/|$)|^\\.\\.?/.*\\.css$',
    },
  },
  {
    name: 'nobody-imports-the-dashboard',
    comment: 'The gateway serves the built page as files; only tests of its pure parts import it.',
    from: { pathNot: '^(dashboard|test)/' },
    to: { path: '^dashboard/' },
  },
  {
    name: 'src-imports-no-tests-sandbox-or-bench',
    comment: 'The installed gateway contains no sandbox, test or benchmark code.',
    from: { path: '^src/' },
    to: { path: '^(test|sandbox|bench|packaging)/' },
  },
  {
    name: 'client-imports-only-itself',
    comment:
      'The client runs in other people’s programs, also in browsers: it knows the gateway by its OpenAPI ' +
      'document alone, and needs no other package.',
    from: { path: '^client/' },
    to: { pathNot: '^client/|^\\./generated/' },
  },
  {
    name: 'examples-import-only-the-package',
    comment:
      'An example is a program of somebody else: it has the installed package, and no file of this ' +
      'repository.',
    from: { path: '^examples/' },
    to: {
      pathNot: '^(examples/|altbroker-gateway/client$|dist/client/)',
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'only-programs-import-the-client',
    comment: 'The gateway and its sandbox are what the client talks to.',
    from: { path: '^(src|sandbox|bench)/' },
    to: { path: '^client/' },
  },
  {
    name: 'sandbox-imports-no-gateway-code',
    comment:
      'The sandbox imitates the brokers by their documentation. If it used code of src, one ' +
      'mistake would be on both sides and no test would find it.',
    from: { path: '^sandbox/', pathNot: '^sandbox/demo/(gateway|page-additions)\\.ts$' },
    to: { path: '^src/' },
  },
  {
    name: 'demo-imports-only-compose',
    comment:
      'The demo runs the whole gateway, wired by compose, in a process of its own: gateway.ts starts it, and page-additions.ts has ' +
      'what its page has besides. The other files reach the gateway over HTTP.',
    from: { path: '^sandbox/demo/(gateway|page-additions)\\.ts$' },
    to: { path: '^src/', pathNot: '^src/compose\\.ts$' },
  },
  {
    name: 'sandbox-imports-no-tests',
    comment: 'The sandbox runs without the tests: the demo uses it, and so may other programs.',
    from: { path: '^sandbox/' },
    to: { path: '^(test|bench)/' },
  },
  {
    name: 'no-cycle',
    comment:
      'Files that import each other in a cycle cannot be read or tested one at a time. Imports ' +
      'of types count: move the shared type to a file of its own.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'A file that neither imports nor is imported does nothing.',
    from: {
      orphan: true,
      pathNot:
        '^(src/main|cli/main|test/browser/screenshots|sandbox/demo/gateway|bench/main|client/index|packaging/(build|build-dashboard|generate-client|prepare)|dashboard/((demo/)?vite\\.config|(src|demo)/style\\.d))\\.ts$|\\.test\\.ts$',
    },
    to: {},
  },
  {
    name: 'src-is-reachable-from-main',
    comment: 'A file that only its tests use is not part of the gateway: wire it, or remove it.',
    from: { path: '^(src|cli)/main\\.ts$' },
    to: { path: '^src/', reachable: false },
  },
];

/** Each library, the one place that may import it, and why. */
const libraryPlaces = [
  [
    'kiteconnect',
    'src/adapters/alt/sdk\\.ts$',
    'No other file depends on its types and its ' + 'oddities.',
  ],
  [
    'big\\.js',
    'src/domain/money\\.ts$',
    'Amounts of money are added, divided and rounded in ' + 'one file.',
  ],
  ['lowdb', 'src/token-store/', 'It stores the token file, and never an order.'],
  ['express|helmet|pino-http|zod-openapi', 'src/routes/', 'Only the HTTP entry point speaks HTTP.'],
  ['undici', 'src/platform/', 'Requests leave only through the transport port.'],
  [
    'pino',
    'src/platform/log\\.ts$',
    'platform/log.ts lets only fields that hold no secret into ' + 'the log.',
  ],
  ['prom-client', 'src/metrics/', 'Everything else measures in plain values.'],
  ['node-cron', 'src/platform/cron\\.ts$', 'It sets its own timers, so it stays behind a port.'],
  ['telegraf', 'src/telegram/', 'It has its own timers and sockets, so it stays behind ports.'],
  [
    'ws',
    'src/platform/http-upgrade\\.ts$',
    'It serves WebSockets, here and in the sandbox; the gateway opens those to brokers with undici.',
  ],
  [
    '@modelcontextprotocol/sdk',
    'src/mcp/',
    'It is loaded when an assistant calls, and not ' + 'before.',
  ],
];

const libraryRules = libraryPlaces.map(([names, place, why]) => ({
  name: `${names.split('|')[0].replace(/\W+/g, '-').replace(/^-/, '')}-is-imported-in-one-place`,
  comment: `${names.replaceAll('|', ', ').replace('\\.', '.')}: only in ${place.replace('\\.ts$', '.ts')}. ${why}`,
  from: { path: '^src/', pathNot: `^${place}` },
  to: { path: `^(node_modules/)?(@types/)?(${names})(/|$)` },
}));

const packageRules = [
  {
    name: 'domain-is-pure',
    comment: 'The domain uses decimal numbers, and no other library and no part of the runtime.',
    from: { path: '^src/domain/' },
    to: { path: '^(?!src/)', pathNot: '^(node_modules/)?(@types/)?big\\.js(/|$)' },
  },
  {
    name: 'only-platform-imports-the-runtime',
    comment:
      'Files, sockets, the database, hashes and random bytes come from ports, so that the whole ' +
      'gateway can run in a simulation. The path, url and util modules are allowed: they have ' +
      'no effects.',
    from: { path: '^src/', pathNot: '^src/platform/' },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?(path|url|util)$' },
  },
  {
    name: 'no-dev-dependency-in-src',
    comment: 'Development dependencies are not installed where the gateway trades.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'] },
  },
  {
    name: 'no-unlisted-dependency',
    comment:
      'A package that package.json does not list may change its version, or disappear, ' +
      'at any time.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'every-import-is-found',
    comment: 'The rules above cannot check an import that cannot be resolved.',
    from: {},
    // What is made at build time may not be there yet.
    to: { couldNotResolve: true, pathNot: '^(\\./generated/|altbroker-gateway/client$)' },
  },
];

export default {
  forbidden: [...moduleRules, ...programRules, ...libraryRules, ...packageRules].map((rule) => ({
    severity: 'error',
    ...rule,
  })),
  options: {
    doNotFollow: { path: '^node_modules/' },
    // What is built has no imports of its own.
    exclude: { path: '^dashboard/(demo/)?dist/' },
    // The rules hold for imports of types as well.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    // The rules find libraries by the path node_modules/, also when it is a symbolic link.
    preserveSymlinks: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
