import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

/**
 * What must not be ambient: the gateway runs whole under a simulated clock and network, so every
 * part of the outside world has one home (docs/architecture.md, "Ports"), and its ambient twin is
 * forbidden everywhere else. Each entry: a kind, what is of that kind, and where its home is.
 */
const ambientGlobals = [
  ['timers', 'setTimeout', 'platform/scheduler.ts'],
  ['timers', 'setInterval', 'platform/scheduler.ts'],
  ['timers', 'setImmediate', 'platform/scheduler.ts'],
  ['timers', 'clearTimeout', 'platform/scheduler.ts'],
  ['timers', 'clearInterval', 'platform/scheduler.ts'],
  ['timers', 'clearImmediate', 'platform/scheduler.ts'],
  ['timers', 'queueMicrotask', 'platform/scheduler.ts'],
  ['time', 'performance', 'platform/clock.ts'],
  ['random', 'crypto', 'platform/ids.ts'],
  ['network', 'fetch', 'platform/http-transport.ts'],
  ['network', 'WebSocket', 'platform (sockets)'],
  ['network', 'EventSource', 'platform (sockets)'],
  ['network', 'XMLHttpRequest', 'platform/http-transport.ts'],
  ['log', 'console', 'platform/log.ts'],
].map(([kind, name, home]) => ({
  kind,
  rule: { name, message: `Ambient ${name}: its one home is src/${home}.` },
}));
for (const name of ['globalThis', 'global']) {
  const message = `${name} reaches around the ports: name what you need as a parameter.`;
  ambientGlobals.push({ kind: 'global', rule: { name, message } });
}

/** `object.name`, `object['name']` and `const { name } = object`. */
const member = (kind, object, names, message) => [
  {
    kind,
    rule: {
      selector:
        `MemberExpression[object.name='${object}']` +
        `:matches([property.name=/^(${names})$/], [property.value=/^(${names})$/])`,
      message,
    },
  },
  {
    kind,
    rule: {
      selector: `VariableDeclarator[init.name='${object}'] > ObjectPattern > Property[key.name=/^(${names})$/]`,
      message,
    },
  },
];
const CLOCK = 'Ambient time: take a Clock (src/platform/clock.ts).';
const IST = 'The machine’s time zone and locale: days and hours are those of src/domain/ist.ts.';
const LOCAL_TIME =
  '(get|set)(Hours|Minutes|Seconds|Milliseconds|Day|Date|Month|FullYear)|getTimezoneOffset|' +
  'to(Date|Time)String';
const ambientSyntax = [
  {
    kind: 'time',
    rule: { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: CLOCK },
  },
  { kind: 'time', rule: { selector: "CallExpression[callee.name='Date']", message: CLOCK } },
  ...member('time', 'Date', 'now', CLOCK),
  ...member('time', 'process', 'hrtime|uptime', CLOCK),
  {
    kind: 'zone',
    rule: {
      selector: `CallExpression > MemberExpression.callee[property.name=/^(${LOCAL_TIME})$/]`,
      message: IST,
    },
  },
  {
    kind: 'zone',
    rule: {
      selector:
        'CallExpression[arguments.length=0] > MemberExpression.callee[property.name=/^toLocale/]',
      message: IST,
    },
  },
  ...member('random', 'Math', 'random', 'Ambient randomness: take Ids (src/platform/ids.ts).'),
  ...member(
    'environment',
    'process',
    'env|loadEnvFile',
    'Ambient environment: take an Environment (src/platform/environment.ts).',
  ),
  ...member(
    'timers',
    'process',
    'nextTick',
    'Ambient timer: take a Scheduler (src/platform/scheduler.ts).',
  ),
  ...member(
    'timers',
    'AbortSignal',
    'timeout',
    'Ambient timer: take a Scheduler (src/platform/scheduler.ts).',
  ),
  ...member(
    'exit',
    'process',
    'exit|abort|kill',
    'No exit on a normal path: dispose the gateway and let the process end.',
  ),
  ...member(
    'global',
    'process',
    'getBuiltinModule|binding',
    'This reaches around the ports: import what you need from src/platform.',
  ),
];

/**
 * Brokers are instances of the configuration: what knows one by its name treats the next one wrongly.
 * The three names are words of src/adapters and src/config alone. `paper` is a mode as well: it may be
 * compared with a `mode`, and stands in the list of modes.
 */
const BROKER_NAME =
  'A broker by its name: take the instance, or what it offers (docs/adding-a-broker.md). The names ' +
  'of the configured instances are those of src/config/brokers.ts.';
const isMode =
  "BinaryExpression[left.property.name='mode'] > Literal, " +
  "BinaryExpression[left.name='mode'] > Literal, " +
  "ArrayExpression[elements.0.value='live'] > Literal";
const brokerNames = [
  'Literal[value=/^(alt|primary)$/]',
  'TemplateElement[value.raw=/^(alt|primary|paper)$/]',
  `Literal[value='paper']:not(${isMode})`,
].map((selector) => ({ kind: 'brokers', rule: { selector, message: BROKER_NAME } }));

const home = (names, where) => ({
  regex: `^(node:)?(${names})(/.*)?$`,
  message: `Its one home is ${where}.`,
});
const restrictedModules = {
  timers: home('timers|perf_hooks', 'src/platform/scheduler.ts or clock.ts'),
  random: home('crypto', 'src/platform/ids.ts (random) or src/platform/digest.ts (hashes)'),
  network: home('http|https|http2|net|tls|dns|dgram|undici|axios|ws', 'src/platform'),
  files: home('fs|os', 'src/platform/files.ts'),
  database: home('sqlite', 'src/platform/database.ts'),
  processes: home('child_process|worker_threads|cluster|process|module|vm', 'nowhere in src'),
  kite: home('kiteconnect', 'src/adapters/alt/sdk.ts'),
  cron: home('node-cron', 'src/platform/cron.ts'),
  telegram: home('telegraf', 'src/telegram'),
  lowdb: home('lowdb', 'src/token-store'),
  express: home('express|helmet|pino-http|zod-openapi', 'src/routes'),
  mcp: home('@modelcontextprotocol', 'src/mcp'),
  log: home('pino', 'src/platform/log.ts'),
};

/** Everything ambient is forbidden, but for the kinds that live here. */
const forbid = (...kinds) => ({
  'no-restricted-globals': ['error', ...without(ambientGlobals, kinds)],
  'no-restricted-syntax': ['error', ...without([...ambientSyntax, ...brokerNames], kinds)],
  'no-restricted-imports': [
    'error',
    {
      patterns: Object.entries(restrictedModules)
        .filter(([kind]) => !kinds.includes(kind))
        .map(([, rule]) => rule),
    },
  ],
});
const without = (entries, kinds) =>
  entries.filter(({ kind }) => !kinds.includes(kind)).map(({ rule }) => rule);

/** The homes. Each line gives one file, or one room, what lives there. */
const homes = [
  ['src/platform/clock.ts', 'time'],
  ['src/platform/scheduler.ts', 'timers'],
  ['src/platform/ids.ts', 'random'],
  ['src/platform/digest.ts', 'random'],
  ['src/platform/environment.ts', 'environment'],
  ['src/platform/files.ts', 'files', 'random'],
  ['src/platform/database.ts', 'database'],
  ['src/platform/data-lock.ts', 'database'],
  ['src/platform/{http,socket,websocket}*.ts', 'network'],
  ['src/platform/log.ts', 'log'],
  ['src/platform/cron.ts', 'cron'],
  ['src/adapters/**/*.ts', 'brokers'],
  ['src/config/**/*.ts', 'brokers'],
  ['src/adapters/alt/sdk.ts', 'kite', 'brokers'],
  ['src/token-store/*.ts', 'lowdb'],
  ['src/telegram/**/*.ts', 'telegram'],
  ['src/routes/**/*.ts', 'express'],
  ['src/mcp/**/*.ts', 'mcp'],
].map(([files, ...kinds]) => ({ files: [files], rules: forbid(...kinds) }));

/**
 * A function that does not fit on a screen or two hides what it depends on: 100 lines at most, and 300
 * for a file. The callback of a `describe` is a list of tests, not a function that anybody follows.
 */
const MOST_LINES = { file: 300, function: 100 };
const isDescribeCallback = ({ parent }) => {
  let callee = parent?.type === 'CallExpression' ? parent.callee : null;
  while (callee && callee.type !== 'Identifier')
    callee = callee.callee ?? callee.object ?? callee.tag;
  return callee?.name === 'describe';
};
const builtin = builtinRules.get('max-lines-per-function');
const maxLinesPerFunction = {
  meta: builtin.meta,
  create: (context) =>
    builtin.create(
      Object.create(context, {
        report: {
          value: (problem) => {
            if (!isDescribeCallback(problem.node)) context.report(problem);
          },
        },
      }),
    ),
};

/** Longer still, until they are split: whoever splits one takes it out of this list. */
const stillTooLong = [
  'src/execution/execution.ts',
  'src/execution/reconcile/book-memory.ts',
  'src/execution/reconcile/book-reader.ts',
  'test/execution/reconcile/book-memory.test.ts',
  'src/adapters/alt/ticker/connection.ts',
  'src/adapters/alt/ticker/ticker.ts',
  'src/adapters/alt/trading.ts',
  'src/adapters/primary/token-keeper.ts',
  'src/instruments/list-keeper.ts',
  'src/market-data/streaming-quotes.ts',
  'src/platform/http-connections.ts',
  'src/session/create-session.ts',
  'src/telegram/alerts.ts',
  'src/token-store/token-store.ts',
];

export default tseslint.config(
  { ignores: ['node_modules/**', 'data/**', 'coverage/**'] },
  ...tseslint.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'sandbox/**/*.ts', 'test/**/*.ts'],
    ignores: stillTooLong,
    plugins: { local: { rules: { 'max-lines-per-function': maxLinesPerFunction } } },
    rules: {
      'max-lines': ['error', MOST_LINES.file],
      'local/max-lines-per-function': ['error', MOST_LINES.function],
    },
  },
  {
    files: ['src/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // `must(value, why)` of src/platform/must.ts says why there is a value, and throws where not.
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      ...forbid(),
    },
  },
  ...homes,
  {
    // The kernel of the sandbox runs in the simulation: the clock and the random source are handed
    // in, as they are to the gateway.
    files: [
      'sandbox/kernel/**/*.ts',
      'sandbox/exchange/**/*.ts',
      'sandbox/kite/**/*.ts',
      'sandbox/primary/**/*.ts',
    ],
    rules: {
      'no-restricted-globals': ['error', ...without(ambientGlobals, [])],
      'no-restricted-syntax': ['error', ...without(ambientSyntax, [])],
    },
  },
  {
    files: ['*.config.ts', '*.config.js', '.dependency-cruiser.js'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
