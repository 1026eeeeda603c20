/**
 * The arrows of the house. Whatever is not listed here is forbidden, and each rule says why;
 * test/architecture plants a violation of every one of them. `npm run architecture` runs it.
 */

const FACES_SEE = ['router', 'events', 'callers', 'session', 'domain', 'platform'];
const FACE =
  'A face turns requests into calls of the one shared interface, and may look at events, callers ' +
  'and session. A face that reached execution, a book or a broker would get around the routing ' +
  'policy and the checks before an order; one that used another face could not be left out.';
const ADAPTER =
  'An adapter sees the words of the trade, the ports and the kit, and never another adapter: what ' +
  'two brokers seem to share differs the day one of them changes. What belongs to no broker, such ' +
  'as reading CSV, is in the kit, so that both have the same guarantees.';

/** Each room, the rooms it sees, and why it sees no more. */
const rooms = [
  ['domain', [], 'The words of the trade are the ground that every room stands on.'],
  ['platform', [], 'The ports to the outside world know nothing of trading.'],
  [
    'adapters/kit',
    ['domain', 'platform'],
    'The kit is for every adapter: a kit that knew one broker would carry its rules to the others.',
  ],
  ['adapters/primary', ['adapters/kit', 'domain', 'platform'], ADAPTER],
  ['adapters/alt', ['adapters/kit', 'domain', 'platform'], ADAPTER],
  ['adapters/paper', ['adapters/kit', 'domain', 'platform'], ADAPTER],
  [
    'token-store',
    ['domain', 'platform'],
    'It keeps a token; what a token is for is not its affair.',
  ],
  [
    'session',
    ['token-store', 'domain', 'platform'],
    'A session knows tokens and the port for checking them; who trades with it is above.',
  ],
  [
    'instruments',
    ['domain', 'platform'],
    'Names of instruments are the same whoever asks, and the brokers’ masters are handed in.',
  ],
  [
    'events',
    ['domain', 'platform'],
    'The sequence of what happened is written to, and asks nobody.',
  ],
  [
    'execution',
    ['events', 'instruments', 'domain', 'platform'],
    'Execution is told which brokers, in order; it never asks the router back and names no broker.',
  ],
  [
    'portfolio',
    ['instruments', 'domain', 'platform'],
    'Shared reads know no orders in the making, so that a read cannot hold up a send.',
  ],
  [
    'market-data',
    ['instruments', 'domain', 'platform'],
    'Prices are read the same way by everyone, the paper account included: nothing above is known.',
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
    'The router works with brokers by their ports: compose hands them in, faces come to it.',
  ],
  ['routes', FACES_SEE, FACE],
  ['mcp', FACES_SEE, FACE],
  ['telegram', FACES_SEE, FACE],
  ['cli', FACES_SEE, FACE],
  ['dashboard', FACES_SEE, FACE],
  [
    'reminder',
    ['session', 'domain', 'platform'],
    'Whether to remind follows from session, calendar and clock; how it is said is handed in.',
  ],
  [
    'callers',
    ['domain', 'platform'],
    'Who may call is settled before anything of trading is known.',
  ],
  ['config', ['domain', 'platform'], 'Settings are read once, before there are parts to ask.'],
];
const anyRoom = rooms.map(([room]) => room).join('|');

const arrows = rooms.map(([room, sees, why]) => ({
  name: `${room.replace('/', '-')}-sees-${sees.length === 0 ? 'itself-alone' : 'no-more'}`,
  comment: `${room} may import ${sees.length === 0 ? 'itself' : sees.join(', ')}. ${why}`,
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...sees].join('|')})/` },
}));

const outline = [
  {
    name: 'a-room-has-its-rule',
    comment:
      'A file in a folder without a rule here would be under no rule at all: give the room one.',
    from: {},
    to: { path: '^src/', pathNot: `^src/((main|compose)\\.ts$|compose/|(${anyRoom})/)` },
  },
  {
    name: 'a-room-without-rule-imports-nothing',
    comment: 'As a-room-has-its-rule, for a file that nobody imports yet.',
    from: { path: '^src/', pathNot: `^src/((main|compose)\\.ts$|compose/|(${anyRoom})/)` },
    to: {},
  },
  {
    name: 'main-starts-compose',
    comment:
      'main starts, stops, and says what the user can put right. Wiring is compose’s, so that a test ' +
      'or another program gets the same gateway without a process around it.',
    from: { path: '^src/main\\.ts$' },
    to: {
      path: '^src/',
      pathNot: '^src/(compose\\.ts$|config/configuration-error\\.ts$|platform/)',
    },
  },
  {
    name: 'nobody-imports-main',
    comment: 'Importing main starts a gateway on real ports and real brokers.',
    from: {},
    to: { path: '^src/main\\.ts$' },
  },
  {
    name: 'src-stands-alone',
    comment: 'What is installed to trade has no rehearsal, test or measurement in it.',
    from: { path: '^src/' },
    to: { path: '^(test|sandbox|bench)/' },
  },
  {
    name: 'sandbox-knows-no-gateway',
    comment:
      'The sandbox plays the brokers from their documents. With our code in it, both sides would ' +
      'share one mistake and agree.',
    from: { path: '^sandbox/', pathNot: '^sandbox/demo\\.ts$' },
    to: { path: '^src/' },
  },
  {
    name: 'demo-sees-compose-alone',
    comment: 'The demo is the whole gateway as it is, wired by compose, with no part replaced.',
    from: { path: '^sandbox/demo\\.ts$' },
    to: { path: '^src/', pathNot: '^src/compose\\.ts$' },
  },
  {
    name: 'sandbox-needs-no-tests',
    comment: 'The sandbox runs by itself, for the demo and for whoever rehearses with it.',
    from: { path: '^sandbox/' },
    to: { path: '^(test|bench)/' },
  },
  {
    name: 'no-cycle',
    comment:
      'Parts in a circle cannot be built, read or tested one at a time. Types count: give the shared ' +
      'one a file of its own.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'A file that neither imports nor is imported does nothing.',
    from: {
      orphan: true,
      pathNot: '^(src/main|src/cli/main|sandbox/demo|bench/main)\\.ts$|\\.test\\.ts$',
    },
    to: {},
  },
  {
    name: 'src-is-reached',
    comment:
      'A file that only its tests use is not part of the gateway: wire it, or remove it. What a ' +
      'browser runs is loaded by no import.',
    from: { path: '^src/(main|cli/main)\\.ts$' },
    to: { path: '^src/', pathNot: '^src/dashboard/', reachable: false },
  },
];

/** Each library, the one place where it lives, and why there. */
const homes = [
  ['kiteconnect', 'src/adapters/alt/sdk\\.ts$', 'Its types and oddities stop at one file.'],
  ['big\\.js', 'src/domain/money\\.ts$', 'Money is added up and divided in one way.'],
  ['lowdb', 'src/token-store/', 'It keeps the token file, and never an order.'],
  ['express|helmet|pino-http|zod-openapi', 'src/routes/', 'HTTP is spoken by one face.'],
  ['undici', 'src/platform/', 'A request leaves through the transport port, or not at all.'],
  ['pino', 'src/platform/log\\.ts$', 'Only fields known to hold no secret reach the log.'],
  ['node-cron', 'src/platform/cron\\.ts$', 'It has timers of its own: they hide behind a port.'],
  ['telegraf', 'src/telegram/', 'It has timers and sockets of its own: they hide behind ports.'],
  ['@modelcontextprotocol/sdk', 'src/mcp/', 'It is loaded when an assistant calls, not before.'],
];

const libraries = homes.map(([names, home, why]) => ({
  name: `${names.split('|')[0].replace(/\W+/g, '-').replace(/^-/, '')}-has-one-home`,
  comment: `${names.replaceAll('|', ', ').replace('\\.', '.')}: only in ${home.replace('\\.ts$', '.ts')}. ${why}`,
  from: { path: '^src/', pathNot: `^${home}` },
  to: { path: `^(node_modules/)?(@types/)?(${names})(/|$)` },
}));

const packages = [
  {
    name: 'domain-is-pure',
    comment: 'The words of the trade need decimal numbers, and nothing else that is not theirs.',
    from: { path: '^src/domain/' },
    to: { path: '^(?!src/)', pathNot: '^(node_modules/)?(@types/)?big\\.js(/|$)' },
  },
  {
    name: 'the-runtime-is-behind-platform',
    comment:
      'Files, sockets, the database, hashes and random bytes come from ports, so that the whole ' +
      'gateway runs in a simulation. Path, URL and text functions touch nothing.',
    from: { path: '^src/', pathNot: '^src/platform/' },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?(path|url|util)$' },
  },
  {
    name: 'no-dev-dependency-in-src',
    comment: 'A development dependency is absent where the gateway is installed to trade.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'] },
  },
  {
    name: 'no-unlisted-dependency',
    comment: 'What package.json does not name may be another version tomorrow, or gone.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'every-import-is-found',
    comment: 'An import that cannot be found escapes the rules above.',
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: [...arrows, ...outline, ...libraries, ...packages].map((rule) => ({
    severity: 'error',
    ...rule,
  })),
  options: {
    doNotFollow: { path: '^node_modules/' },
    // An import of a type is an arrow like any other.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    // A linked node_modules is still node_modules: the rules know libraries by that name.
    preserveSymlinks: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
