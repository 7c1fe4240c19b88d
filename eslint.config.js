import js from '@eslint/js';
import { houseRules } from './scripts/house/lint-rules.js';

/**
 * The import directions of the house (packages/README.md). A folder may import the folders named here,
 * Node's own modules if `node` is set, and the npm packages of `npm`; anything else is an error.
 * Tests may also import `#testkit`, `#store` (the real one, never a mock), ava and fast-check.
 */
const house = {
  'packages/model': { house: [] },
  'packages/schedule': { house: ['model'] },
  'packages/kernel': { house: ['schedule', 'model'] },
  'packages/vat': {
    house: ['schedule', 'model'],
    npm: ['@endo/errors', '@endo/marshal', '@endo/nat', '@endo/pass-style'],
  },
  'packages/reactor': { house: ['schedule', 'model'] },
  'packages/reactor-ts': { house: ['reactor', 'schedule', 'model'], node: true },
  'packages/transport': { house: ['model'], node: true },
  'packages/store': { house: ['vendored', 'model'], node: true },
  'packages/native': { house: ['model'], node: true },
  'packages/packed': { house: ['native'], node: true },
  'packages/config': { house: ['model'], node: true },
  'packages/loader': {
    house: ['config', 'kernel', 'vat', 'native', 'vendored', 'model'],
    node: true,
    npm: ['ses', '@endo/cjs-module-analyzer', 'whatwg-url', 'ts-blank-space'],
  },
  'packages/system-vats': { house: ['config', 'kernel', 'vat', 'schedule', 'model'], node: true },
  'packages/observe': { house: ['kernel', 'reactor', 'native', 'model'], node: true },
  'packages/host': {
    house: [
      'system-vats',
      'observe',
      'loader',
      'config',
      'kernel',
      'vat',
      'reactor',
      'store',
      'native',
      'packed',
      'transport',
      'schedule',
      'model',
    ],
    node: true,
  },
  'packages/testing': { house: ['host', 'model'], node: true },
  'packages/swingset': {
    house: ['host', 'config', 'kernel', 'vat', 'store', 'model'],
    node: true,
    npm: ['@endo/patterns'],
  },
  'packages/measure': { house: ['host', 'native', 'model'], node: true },
  'packages/savina': { house: ['measure', 'host', 'config', 'reactor', 'model'], node: true },
  stats: {
    house: ['vendored', 'model'],
    node: true,
    npm: ['@resvg/resvg-js'],
  },
  'packages/matrix': { house: ['stats', 'measure', 'model'], node: true },
  'packages/cluster': {
    house: ['host', 'loader', 'config', 'kernel', 'store', 'transport', 'model'],
    node: true,
    npm: ['@nats-io/transport-node', '@nats-io/jetstream', '@nats-io/obj'],
  },
  'packages/vendored': { house: [], node: true },
  'packages/diagram': { house: ['reactor', 'vendored', 'model'], node: true },
  runner: {
    house: [
      ...['cluster', 'diagram', 'matrix', 'savina', 'host', 'observe', 'packed'],
      ...['stats', 'measure', 'model'],
    ],
    node: true,
    npm: ['yargs'],
  },
};

const everyFolder = [...Object.keys(house).map(folder => folder.split('/').at(-1)), 'testkit'];
const everyLibrary = [...new Set(Object.values(house).flatMap(({ npm = [] }) => npm))];

const direction = (folder, { house: allowed, node = false, npm = [] }, isTest) => {
  const self = folder.split('/').at(-1);
  const banned = everyFolder.filter(
    name =>
      !allowed.includes(name) &&
      (isTest ? name !== self && name !== 'testkit' && name !== 'store' : true),
  );
  const patterns = [
    ...banned.map(name => ({
      regex: `^#${name}(/|$)`,
      message: `${folder} may not import ${name}; see "Imports" in packages/README.md.`,
    })),
    {
      regex: '^(\\.\\./){2,}(?!\\.\\./|scripts/)',
      message: 'Folders import each other by #name, never by a long relative path.',
    },
  ];
  if (!isTest) {
    for (const library of everyLibrary.filter(name => !npm.includes(name))) {
      patterns.push({
        regex: `^${library}(/|$)`,
        message: `${folder} may not import ${library}; see "Imports" in packages/README.md.`,
      });
    }
    if (!node) {
      patterns.push({ regex: '^node:', message: `${folder} may not import Node's modules.` });
    }
  }
  return {
    files: [isTest ? `${folder}/test/**/*.js` : `${folder}/**/*.js`],
    ignores: isTest ? [] : [`${folder}/test/**`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
};

const standardGlobals = {
  lockdown: 'readonly',
  repairIntrinsics: 'readonly',
  hardenIntrinsics: 'readonly',
  harden: 'readonly',
  Compartment: 'readonly',
  HandledPromise: 'readonly',
  assert: 'readonly',
};
const nodeGlobals = {
  console: 'readonly',
  process: 'readonly',
  Buffer: 'readonly',
  URL: 'readonly',
  setImmediate: 'readonly',
  clearImmediate: 'readonly',
  setTimeout: 'readonly',
  clearTimeout: 'readonly',
  setInterval: 'readonly',
  clearInterval: 'readonly',
  performance: 'readonly',
  queueMicrotask: 'readonly',
  structuredClone: 'readonly',
  AbortController: 'readonly',
  fetch: 'readonly',
};
const webGlobals = {
  TextEncoder: 'readonly',
  TextDecoder: 'readonly',
  console: 'readonly',
  WebAssembly: 'readonly',
};

export default [
  {
    ignores: [
      'node_modules/',
      'types/',
      'packages/vendored/files/',
      'packages/packed/files/',
      'coverage/',
      'site/',
      'test/fixtures/',
      '**/fixtures/**',
    ],
  },
  // Vats of attackers and their victims; the harness beside them is ours.
  { ignores: ['test/attacks/*/!(attack).{js,cjs,mjs}', '!test/attacks/harness/*'] },
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: 'module',
      globals: { ...standardGlobals, ...webGlobals },
    },
    rules: {
      'no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      'prefer-const': 'error',
      eqeqeq: 'error',
      'no-var': 'error',
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  {
    files: [
      'packages/{reactor-ts,store,host,config,loader,system-vats,observe,native,packed,swingset,measure,matrix,savina,diagram,vendored,testkit,create,testing,cluster}/**/*.js',
      'stats/**/*.js',
      'examples/**/*.js',
      'runner/**/*.js',
      'scripts/**/*.js',
      'bench/**/*.js',
      'test/**/*.js',
      '**/test/**/*.js',
      '*.js',
    ],
    languageOptions: { globals: nodeGlobals },
  },
  // How long files, functions and classes may be; what is longer says why at its head.
  {
    files: ['**/*.{js,cjs,mjs}'],
    plugins: { house: houseRules },
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': ['error', { max: 150, skipBlankLines: true, skipComments: true }],
      'house/max-class-lines': ['error', 150],
      'house/reason-for-length': 'error',
    },
  },
  // A script for browsers.
  {
    files: ['stats/draw/page/*.js', 'packages/diagram/page/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        'document window getComputedStyle matchMedia innerWidth innerHeight uPlot ResizeObserver Blob Image URL performance setTimeout encodeURIComponent'
          .split(' ')
          .map(name => [name, 'readonly']),
      ),
    },
  },
  // Programs as Lingua Franca's compiler writes them.
  {
    files: ['packages/reactor-ts/examples/*.js'],
    rules: { 'prefer-const': 'off', 'no-unused-vars': 'off' },
  },
  // No clock, no randomness in what must be deterministic (docs/design/determinism.md).
  {
    files: ['packages/{model,schedule,kernel,vat,reactor}/**/*.js'],
    ignores: ['**/test/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        'Date',
        'performance',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'process',
        'console',
      ],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
    },
  },
  ...Object.entries(house).flatMap(([folder, rule]) => [
    direction(folder, rule, false),
    direction(folder, rule, true),
  ]),
];
