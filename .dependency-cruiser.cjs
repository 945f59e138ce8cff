/**
 * The allowed imports, as in docs/architecture.md. Every package with sources must have a line here, with the
 * packages that its sources may import; tests/architecture.unit.test.ts compares the two and shows that every
 * rule can fail. Tests and tools may import any package and app, unless a rule below forbids it.
 */
const mayImport = {
  model: '',
  proto: '',
  config: 'model',
  embedded: 'model',
  outbound: 'model',
  secrets: 'model',
  ssh: '',
  tls: '',
  versions: 'model',
  words: 'model contract',
  reports: 'model proto',
  advisories: 'model versions',
  contract: 'model',
  queue: 'model',
  db: 'model advisories',
  pipeline: 'model versions reports advisories db queue process',
  loadtest: 'model reports db queue pipeline process',
  process: 'model advisories config db queue embedded',
  testing: 'model proto versions reports advisories contract config queue db embedded secrets',
};

/** Packages that take values and return values; of Node's modules they may import only computations. */
const pure = 'packages/(model|versions|words|reports|advisories)';
const computation = '^(node:)?(assert|buffer|crypto|string_decoder|util|zlib)$';

const workspace = '^(packages|apps)/';
const folderOfFile = '^((?:packages|apps)/[^/]+)/';
const outsideSources = '^((packages|apps)/[^/]+/(tests|tools)|tests|lab)/';

/** Entries of packages besides index.ts. */
const secondEntries = [
  '^packages/pipeline/src/intake/index\\.ts$',
  '^packages/db/src/seeding/index\\.ts$',
  '^packages/embedded/src/disk-space\\.ts$',
  '^packages/process/src/lower-priority\\.ts$',
  '^packages/advisories/tests/host/drawn/every-host\\.ts$',
];

const allowLists = Object.entries(mayImport).map(([name, list]) => ({
  name: `may-import:${name}`,
  comment: `Sources of packages/${name} import ${list === '' ? 'no other package' : `only ${list}`}.`,
  severity: 'error',
  from: { path: `^packages/${name}/src/` },
  to: { path: workspace, pathNot: [name, ...list.split(' ')].map((allowed) => `^packages/${allowed}/`) },
}));

/**
 * The rooms of packages/db, the lowest first, with their interface: the files that rooms above may import. A room is a folder
 * of packages/db/src; `seeding` above them is a second entry of the package.
 */
const rooms = {
  core:
    'after-imports bytes cached-value change-terms conditions database gather-calls has-come has-due-policy ' +
    'locks one-a-turn precedence rest row-table transaction',
  people: 'audit-events change-user changed-fields record-by-sql',
  fleet:
    'enrolment/shared-allowances enrolment/upload-allowances hosts/group-store hosts/host-scope ' +
    'hosts/host-selection hosts/judge-due hosts/judgement hosts/query hosts/tag-preview hosts/tag-rules ' +
    'hosts/write-policy ssh/pull-schedule',
  ingest:
    'interned-rows interning package-set releases resubmit-snapshots set-numbers ' +
    'set-postings stored-facts stored-repositories',
  knowledge:
    'as-known-at coverage cve-knowledge feeds/cve-store feeds/end-import feeds/feed-store ' +
    'feeds/import-kind feeds/import-kinds feeds/link-overrides feeds/override-store ' +
    'feeds/release-lifecycles find-matches judged-cves knowledge-change knowledge-memory ' +
    'known-advisories known-exploited known-since known-versions load-subjects match-versions package-versions ' +
    'release-coverage side-statements statement-dates statements summary-size version-arrivals ' +
    'version-memory',
  judging:
    'affected/affected-versions counting/finding-list counting/host-counter counting/host-terms ' +
    'counting/recount-hosts counting/waived-summaries due/host-due-terms due/host-due-times ' +
    'findings/finding-query findings/finding-store summary/fleet-totals',
  outbox: '',
  seeding: '',
};

const roomRules = Object.keys(rooms).map((room, floor, all) => ({
  name: `room:${room}`,
  comment: `packages/db/src/${room} imports only rooms below it, and only what these offer.`,
  severity: 'error',
  from: { path: `^packages/db/src/${room}/` },
  to: {
    path: '^packages/db/src/',
    pathNot: [
      `^packages/db/src/${room}/`,
      ...all
        .slice(0, floor)
        .map((below) => `^packages/db/src/${below}/(${rooms[below].replaceAll(' ', '|')})\\.ts$`),
    ],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...allowLists,
    ...roomRules,
    {
      name: 'no-app-imports-app',
      comment: 'Apps meet in the database and the queue.',
      severity: 'error',
      from: { path: folderOfFile },
      to: { path: '^apps/', pathNot: '^$1/' },
    },
    {
      name: 'only-index',
      comment: 'A package is what its index.ts exports; what lies behind may change any time.',
      severity: 'error',
      from: { path: folderOfFile },
      to: {
        path: '^packages/',
        pathNot: ['^$1/', '^packages/[^/]+/src/index\\.ts$', ...secondEntries],
      },
    },
    {
      name: 'only-index-from-outside',
      comment: 'End-to-end tests, the lab and tools take packages by their index.ts as well.',
      severity: 'error',
      from: { path: '^(tests|lab|tools)/' },
      to: { path: '^packages/', pathNot: ['^packages/[^/]+/src/index\\.ts$', ...secondEntries] },
    },
    {
      name: 'by-package-name',
      comment: 'Another package is imported as @plimsoll/…, not by a path.',
      severity: 'error',
      from: { path: folderOfFile },
      to: { path: workspace, pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-lab-in-product',
      comment: 'The lab measures and tries the product, which is built, checked and tested without it.',
      severity: 'error',
      from: { pathNot: '^lab/' },
      to: { path: '^lab/' },
    },
    {
      name: 'testing-in-tests-only',
      comment: 'packages/testing starts servers and makes up data.',
      severity: 'error',
      from: { pathNot: [outsideSources, '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'embedded-in-cli-only',
      comment: 'Only `plimsoll start` and tests run private servers.',
      severity: 'error',
      from: { pathNot: [outsideSources, '^packages/(embedded|testing)/', '^apps/cli/'] },
      to: { path: '^packages/embedded/', pathNot: '^packages/embedded/src/disk-space\\.ts$' },
    },
    {
      name: 'loadtest-in-cli-only',
      comment: 'The service itself makes up no hosts; `plimsoll loadtest` and the lab do.',
      severity: 'error',
      from: { pathNot: [outsideSources, '^packages/loadtest/', '^apps/cli/'] },
      to: { path: '^packages/loadtest/' },
    },
    {
      name: 'seeding-in-loadtest-only',
      comment: 'Copied hosts and times in the past are for invented fleets; the service has no way to them.',
      severity: 'error',
      from: { pathNot: [outsideSources, '^packages/(db/src/seeding|loadtest)/'] },
      to: { path: '^packages/db/src/seeding/' },
    },
    {
      name: 'drawn-hosts-in-tests-only',
      comment: 'Random hosts are for laws about counting.',
      severity: 'error',
      from: { pathNot: outsideSources },
      to: { path: '^packages/advisories/tests/' },
    },
    {
      name: 'outbound-in-fetchers-only',
      comment:
        'The other apps open no connection but to database and queue; the API connects to the OpenID provider, and judges the addresses of an inventory.',
      severity: 'error',
      from: {
        pathNot: [
          outsideSources,
          '^packages/outbound/',
          '^apps/((advisory|ssh|notify)-worker|api/src/(oidc|operations/inventory))/',
        ],
      },
      to: { path: '^packages/outbound/' },
    },
    {
      name: 'pipeline-in-workers-only',
      comment:
        'The apps that take uploads have only the first stage: what is parsed and matched, two workers do.',
      severity: 'error',
      from: {
        pathNot: [outsideSources, '^packages/(pipeline|loadtest)/', '^apps/(report|advisory)-worker/'],
      },
      to: { path: '^packages/pipeline/src/', pathNot: '^packages/pipeline/src/intake/index\\.ts$' },
    },
    {
      name: 'intake-is-the-first-stage',
      comment: 'Storing an upload takes nothing of the later stages.',
      severity: 'error',
      from: { path: '^packages/pipeline/src/intake/' },
      to: {
        path: '^packages/',
        pathNot: ['^packages/pipeline/src/intake/', '^packages/(model|reports|advisories|db|queue)/'],
      },
    },
    {
      name: 'secrets-in-sealers-only',
      comment:
        'The API seals, ssh-worker and notify-worker open, the command line does both; packages/secrets/tests/who-opens.test.ts ' +
        'says which of them may have what.',
      severity: 'error',
      from: {
        pathNot: [
          outsideSources,
          '^packages/(secrets|testing)/',
          '^apps/(api|ssh-worker|notify-worker|cli)/',
        ],
      },
      to: { path: '^packages/secrets/' },
    },
    {
      name: 'no-cycle',
      comment: 'What imports each other in a circle is one thing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure',
      comment: 'No files, network, processes or clock: time comes in as an argument.',
      severity: 'error',
      from: { path: `^${pure}/src/` },
      to: { dependencyTypes: ['core'], pathNot: computation },
    },
    {
      name: 'declared',
      comment: 'Every npm package a source imports stands in the dependencies of its own package.json.',
      severity: 'error',
      from: { path: workspace, pathNot: outsideSources },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere: a misspelt name, or a file that the package does not export.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API for JavaScript programs; swc parses the syntax, and types do not
    // matter here.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules'] },
    // The swc parser does not parse JSX: biome.json and apps/dashboard/vite.config.ts have the import rules
    // of the dashboard.
    exclude: { path: ['(^|/)dist/', '(^|/)testdata/', '(^|/)generated/', '^apps/dashboard/(src/|vite)'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
