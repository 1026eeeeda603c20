import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

/**
 * Globals that reach the outside world. The whole gateway can run under a simulated clock and
 * network, so each part of the outside world is used in one file only, behind a port
 * (docs/architecture.md, "Ports"). Each entry: the kind, the global, and the one file that may use
 * it.
 */
const ambientGlobals = [
  ['timers', 'setTimeout', 'platform/clock.ts'],
  ['timers', 'setInterval', 'platform/clock.ts'],
  ['timers', 'setImmediate', 'platform/clock.ts'],
  ['timers', 'clearTimeout', 'platform/clock.ts'],
  ['timers', 'clearInterval', 'platform/clock.ts'],
  ['timers', 'clearImmediate', 'platform/clock.ts'],
  ['timers', 'queueMicrotask', 'platform/clock.ts'],
  ['time', 'performance', 'platform/clock.ts'],
  ['random', 'crypto', 'platform/ids.ts'],
  ['network', 'fetch', 'platform/http-transport.ts'],
  ['network', 'WebSocket', 'platform (sockets)'],
  ['network', 'EventSource', 'platform (sockets)'],
  ['network', 'XMLHttpRequest', 'platform/http-transport.ts'],
  ['log', 'console', 'platform/log.ts'],
].map(([kind, name, file]) => ({
  kind,
  rule: { name, message: `Only src/${file} may use the global ${name}: take its port instead.` },
}));
for (const name of ['globalThis', 'global']) {
  const message = `${name} bypasses the ports: take what you need as a parameter.`;
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
const CLOCK = 'This reads the system time: take a Clock instead (src/platform/clock.ts).';
const IST =
  'This uses the machine’s time zone and locale: use src/domain/ist.ts for days and ' + 'hours.';
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
  ...member(
    'random',
    'Math',
    'random',
    'This is a source of randomness: take Ids instead ' + '(src/platform/ids.ts).',
  ),
  ...member(
    'environment',
    'process',
    'env|loadEnvFile',
    'This reads the environment: take an Environment instead (src/platform/environment.ts).',
  ),
  ...member(
    'timers',
    'process',
    'nextTick',
    'This sets a timer: take a Scheduler instead (src/platform/clock.ts).',
  ),
  ...member(
    'timers',
    'AbortSignal',
    'timeout',
    'This sets a timer: take a Scheduler instead (src/platform/clock.ts).',
  ),
  ...member(
    'exit',
    'process',
    'exit|abort|kill',
    'This ends the process at once: dispose the gateway and let the process end.',
  ),
  ...member(
    'global',
    'process',
    'getBuiltinModule|binding',
    'This bypasses the ports: import what you need from src/platform.',
  ),
];

/**
 * Brokers are instances named in the configuration: code that compares a broker’s name is wrong for
 * the next broker. Only src/adapters and src/config use the three names. `paper` is a mode as well:
 * code may compare it with a `mode`, and the list of modes contains it.
 */
const BROKER_NAME =
  'This names a broker: take the instance, or what it offers (docs/adding-a-broker.md). ' +
  'src/config/brokers.ts has the names of the configured instances.';
const isMode =
  "BinaryExpression[left.property.name='mode'] > Literal, " +
  "BinaryExpression[left.name='mode'] > Literal, " +
  "ArrayExpression[elements.0.value='live'] > Literal";
const brokerNames = [
  'Literal[value=/^(alt|primary)$/]',
  'TemplateElement[value.raw=/^(alt|primary|paper)$/]',
  `Literal[value='paper']:not(${isMode})`,
].map((selector) => ({ kind: 'brokers', rule: { selector, message: BROKER_NAME } }));

const onlyIn = (names, where) => ({
  regex: `^(node:)?(${names})(/.*)?$`,
  message: `Only ${where} may import this.`,
});
const notInSrc = (names) => ({ ...onlyIn(names), message: 'No file of src may import this.' });
const restrictedModules = {
  timers: onlyIn('timers', 'src/platform/clock.ts'),
  performance: onlyIn('perf_hooks', 'src/platform/process-figures.ts'),
  random: onlyIn('crypto', 'src/platform/ids.ts (random) or src/platform/secret.ts (hashes)'),
  network: onlyIn('http|https|http2|net|tls|dns|dgram|undici|axios|ws', 'src/platform'),
  files: onlyIn('fs', 'src/platform/files.ts'),
  host: onlyIn('os', 'src/platform/files.ts (directories) or src/platform/clock.ts (uptime)'),
  database: onlyIn('sqlite', 'src/platform/database.ts'),
  processes: notInSrc('child_process|worker_threads|cluster|process|module|vm'),
  kite: onlyIn('kiteconnect', 'src/adapters/alt/sdk.ts'),
  cron: onlyIn('node-cron', 'src/platform/cron.ts'),
  telegram: onlyIn('telegraf', 'src/telegram'),
  lowdb: onlyIn('lowdb', 'src/token-store'),
  express: onlyIn('express|helmet|pino-http|zod-openapi', 'src/routes'),
  mcp: onlyIn('@modelcontextprotocol', 'src/mcp'),
  metrics: onlyIn('prom-client', 'src/metrics'),
  log: onlyIn('pino', 'src/platform/log.ts'),
};

/** The rules that forbid everything above, but for these kinds. */
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

/** The exceptions: which file, or module, may use which kinds. */
const exceptions = [
  ['src/platform/clock.ts', 'time', 'timers', 'host'],
  ['src/platform/ids.ts', 'random'],
  ['src/platform/secret.ts', 'random'],
  ['src/platform/environment.ts', 'environment'],
  ['src/platform/files.ts', 'files', 'host', 'random'],
  ['src/platform/database.ts', 'database'],
  ['src/platform/data-lock.ts', 'database'],
  ['src/platform/directories.ts', 'files', 'host'],
  ['src/platform/{http,socket,websocket}*.ts', 'network'],
  ['src/platform/log.ts', 'log'],
  ['src/platform/process-figures.ts', 'performance'],
  ['src/metrics/*.ts', 'metrics'],
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
 * A function has at most 100 lines and a file at most 300: a reader does not see what a longer one
 * depends on. The callback of a `describe` is a list of tests and may be longer.
 */
const SIZED = ['src', 'cli', 'client', 'dashboard', 'examples', 'sandbox', 'packaging', 'test'];
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

/**
 * The compiler accepts `<` and `-` between any two numbers, also between an instant of the wall clock
 * and one of elapsed time (src/units/branded.ts).
 */
const INSTANTS = ['EpochMs', 'ElapsedMs'];
const oneClock = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      mixed: '{{left}} and {{right}} are instants of two clocks: use one clock for both.',
    },
  },
  create(context) {
    const { parserServices } = context.sourceCode;
    if (!parserServices?.program) return {};
    const clockOf = (node) => {
      const type = parserServices.getTypeAtLocation(node);
      const names = (type.isUnion() ? type.types : [type]).map((each) => each.aliasSymbol?.name);
      return names.find((name) => INSTANTS.includes(name));
    };
    return {
      BinaryExpression(node) {
        if (!['<', '<=', '>', '>=', '-', '+'].includes(node.operator)) return;
        const [left, right] = [clockOf(node.left), clockOf(node.right)];
        if (!left || !right || left === right) return;
        context.report({ node, messageId: 'mixed', data: { left, right } });
      },
    };
  },
};

export default tseslint.config(
  {
    ignores: [
      ...['node_modules/**', 'data/**', 'coverage/**', 'client/generated/**', 'dist/**'],
      'dashboard/dist/**',
      'dashboard/demo/dist/**',
    ],
  },
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
    files: SIZED.map((folder) => `${folder}/**/*.{ts,tsx}`),
    plugins: { local: { rules: { 'max-lines-per-function': maxLinesPerFunction } } },
    rules: {
      'max-lines': ['error', MOST_LINES.file],
      'local/max-lines-per-function': ['error', MOST_LINES.function],
    },
  },
  {
    files: ['src/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { clocks: { rules: { 'one-clock': oneClock } } },
    rules: {
      'clocks/one-clock': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // `must(value, why)` of src/platform/values.ts says why there is a value, and throws where not.
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      ...forbid(),
    },
  },
  ...exceptions,
  {
    // The client runs in browsers as well, and takes its clock, its timers and fetch from its runtime.
    files: ['client/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\.{1,2}/)',
              message: 'The client imports no package and nothing of Node: browsers have neither.',
            },
          ],
        },
      ],
      'no-restricted-globals': ['error', ...without(ambientGlobals, ['global'])],
    },
  },
  {
    // The page of the dashboard: what it imports is part of what a browser loads.
    files: ['dashboard/{src,demo}/**/*.{ts,tsx}'],
    ignores: ['dashboard/demo/vite.config.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|style)$/]',
          message:
            'The policy of the page allows no style inside it, and HTML in a text is never trusted.',
        },
        ...without(ambientSyntax, ['time', 'timers']),
      ],
    },
  },
  { files: ['client/runtime.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    // The sandbox's kernel runs in the simulation: it takes its clock and its random source as
    // parameters, as the gateway does.
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
    files: ['**/*.config.ts', '*.config.js', '.dependency-cruiser.js'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
