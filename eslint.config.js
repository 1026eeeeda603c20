import tseslint from 'typescript-eslint';

/**
 * What must not be ambient: the gateway runs whole under a simulated clock and network, so every
 * part of the outside world has one home (docs/architecture.md, "Ports"), and its ambient twin is
 * forbidden everywhere else.
 */
const ambientGlobals = [
  ['setTimeout', 'platform/scheduler.ts'],
  ['setInterval', 'platform/scheduler.ts'],
  ['setImmediate', 'platform/scheduler.ts'],
  ['clearTimeout', 'platform/scheduler.ts'],
  ['clearInterval', 'platform/scheduler.ts'],
  ['queueMicrotask', 'platform/scheduler.ts'],
  ['performance', 'platform/clock.ts'],
  ['crypto', 'platform/ids.ts'],
  ['fetch', 'platform/http-transport.ts'],
  ['WebSocket', 'platform (sockets)'],
  ['EventSource', 'platform (sockets)'],
  ['XMLHttpRequest', 'platform/http-transport.ts'],
  ['console', 'platform/log.ts'],
].map(([name, home]) => ({ name, message: `Ambient ${name}: its one home is src/${home}.` }));

const ambientSyntax = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Ambient time: take a Clock (src/platform/clock.ts).',
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: 'Ambient time: take a Clock (src/platform/clock.ts).',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Ambient time: take a Clock (src/platform/clock.ts).',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Ambient randomness: take Ids (src/platform/ids.ts).',
  },
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Ambient environment: take an Environment (src/platform/environment.ts).',
  },
  {
    selector: "MemberExpression[object.name='process'][property.name='hrtime']",
    message: 'Ambient time: take a Clock (src/platform/clock.ts).',
  },
  {
    selector: "MemberExpression[object.name='process'][property.name='exit']",
    message: 'No exit on a normal path: dispose the gateway and let the process end.',
  },
  {
    selector:
      "MemberExpression[object.name=/^(globalThis|global)$/]:not([property.name='undefined'])",
    message: 'globalThis reaches around the ports: name what you need as a parameter.',
  },
  {
    selector: "MemberExpression[object.name='AbortSignal'][property.name='timeout']",
    message: 'Ambient timer: take a Scheduler (src/platform/scheduler.ts).',
  },
];

const home = (names, where) => ({
  regex: `^(node:)?(${names})$`,
  message: `Its one home is ${where}.`,
});
const restrictedModules = {
  time: home('timers|timers/promises|perf_hooks', 'src/platform/scheduler.ts or clock.ts'),
  random: home('crypto', 'src/platform/ids.ts (random) or src/platform/digest.ts (hashes)'),
  network: home('http|https|http2|net|tls|dns|dns/promises|dgram|undici|axios|ws', 'src/platform'),
  files: home('fs|fs/promises|os', 'src/platform/files.ts'),
  database: home('sqlite', 'src/platform/database.ts'),
  processes: home('child_process|worker_threads|cluster|process', 'nowhere in src'),
  kite: home('kiteconnect', 'src/adapters/alt/sdk.ts'),
  cron: home('node-cron', 'src/platform/cron.ts'),
  telegram: home('telegraf', 'src/telegram'),
  lowdb: { regex: '^lowdb', message: 'Its one home is src/token-store.' },
  express: home('express|helmet|pino-http', 'src/routes'),
  pino: home('pino', 'src/platform/log.ts'),
};
const forbid = (...except) => [
  'error',
  {
    patterns: Object.entries(restrictedModules)
      .filter(([name]) => !except.includes(name))
      .map(([, rule]) => rule),
  },
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
    files: ['src/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-globals': ['error', ...ambientGlobals],
      'no-restricted-syntax': ['error', ...ambientSyntax],
      'no-restricted-imports': forbid(),
    },
  },
  // The homes. Each line gives one file, or one room, the one thing that lives there.
  {
    files: ['src/platform/*.ts'],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-syntax': 'off',
      'no-restricted-imports': 'off',
    },
  },
  {
    files: ['src/adapters/alt/sdk.ts'],
    rules: { 'no-restricted-imports': forbid('kite') },
  },
  {
    files: ['src/token-store/*.ts'],
    rules: { 'no-restricted-imports': forbid('lowdb') },
  },
  {
    files: ['src/telegram/*.ts'],
    rules: { 'no-restricted-imports': forbid('telegram') },
  },
  {
    files: ['src/routes/**/*.ts'],
    rules: { 'no-restricted-imports': forbid('express') },
  },
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
      'no-restricted-globals': ['error', ...ambientGlobals],
      'no-restricted-syntax': ['error', ...ambientSyntax],
    },
  },
  {
    files: ['*.config.ts', '*.config.js', '.dependency-cruiser.js'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
