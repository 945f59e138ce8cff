import { hostSortFields } from '@plimsoll/contract';
import type { Database } from '@plimsoll/db';
import { createServiceClient, inLanes, percentilesOf, type ServiceClient, signIn } from '@plimsoll/loadtest';
import { testAdmin } from '@plimsoll/testing';
import { type BenchService, say } from './bench-service.ts';
import type { ResultRow } from './result-table.ts';

/** Concurrent requests of most questions. */
const fourClients = 4;
const requestsPerPath = 100;
/** A slow path gets fewer requests. */
const longestPerPathMs = 3_000;

interface Question {
  readonly what: string;
  /** Milliseconds that p99 may take. */
  readonly wanted: number;
  readonly paths: readonly string[];
  /** Concurrent requests; absent: four. */
  readonly clients?: number;
}

interface Asking {
  readonly client: ServiceClient;
  readonly session: string;
  /** Chooses what is wanted of a fleet of this size. */
  readonly wanted: (at25k: number, at100k: number) => number;
}

/** A fleet of more hosts than this is judged as one of 100,000; the benches add some to the 25,000. */
const mostInstant = 50_000;

/**
 * Measures the lists and questions of a large fleet, most at four clients: each path alone, so that the row has the worst of
 * its paths. A path that is not answered 200 is shown and not counted as met.
 */
export async function measureReads(bench: BenchService, database: Database): Promise<readonly ResultRow[]> {
  const client = createServiceClient(bench.service.url, fourClients);
  try {
    const { rows: counted } = await database.pool.query<{ hosts: number }>(
      'SELECT count(*)::int AS hosts FROM hosts',
    );
    const isLarge = (counted[0]?.hosts ?? 0) > mostInstant;
    const asking: Asking = {
      client,
      session: await signIn(client, testAdmin),
      wanted: (at25k, at100k) => (isLarge ? at100k : at25k),
    };
    const rows: ResultRow[] = [];
    for (const question of await questionsOf(asking, database))
      rows.push(await measureQuestion(asking, question));
    rows.push(await measureSummary(asking, database));
    rows.push(...(await measureFindings(asking, database)));
    return rows;
  } finally {
    client.close();
  }
}

async function questionsOf(asking: Asking, database: Database): Promise<readonly Question[]> {
  const { rows: hosts } = await database.pool.query<{ id: string; at: Date }>(
    `SELECT host_id AS id, max(received_at) AS at FROM snapshots GROUP BY host_id ORDER BY count(*) DESC, host_id LIMIT 5`,
  );
  const advisories = await advisoriesWithHosts(asking, database);
  const { wanted } = asking;
  const [lists, subjects] = [wanted(80, 300), wanted(150, 400)];
  const postures = hosts.map(
    ({ id, at }) => `/hosts/${id}/packages/vulnerable?at=${encodeURIComponent(at.toISOString())}`,
  );
  return [
    { what: 'GET /hosts, any sort, with its total', wanted: lists, paths: sortPaths() },
    {
      what: 'GET /hosts, any filter, with its total',
      wanted: lists,
      paths: filterPaths.map((filter) => `/hosts?limit=100&${filter}`),
    },
    {
      what: 'GET /hosts, any offset, with its total',
      wanted: lists,
      paths: [0, 1_000, 25_000, 90_000].map((offset) => `/hosts?limit=100&offset=${offset}`),
    },
    {
      what: 'package → hosts',
      wanted: subjects,
      paths: ['openssl', 'bash', 'curl'].flatMap((name) => [
        `/packages?name=${name}&limit=100`,
        `/packages?name=${name}&version_lt=99&limit=100`,
      ]),
    },
    {
      what: 'advisory → hosts',
      wanted: subjects,
      paths: advisories.map((advisory) => `${hostsOf(advisory)}?limit=100`),
    },
    {
      what: 'CVE → hosts',
      wanted: subjects,
      paths: advisories.flatMap(({ cves }) => cves.slice(0, 1)).map((cve) => `/cves/${cve}/hosts?limit=100`),
    },
    {
      what: 'findings of a host at a past time, one client',
      wanted: wanted(60, 70),
      paths: postures,
      clients: 1,
    },
    {
      what: 'time to patch of a quarter, one client',
      wanted: wanted(700, 2_500),
      paths: ['/fleet/time-to-patch'],
      clients: 1,
    },
  ];
}

interface AskedAdvisory {
  readonly id: string;
  readonly cves: readonly string[];
}

/** Three of the advisories that match most package versions and concern hosts. */
async function advisoriesWithHosts(
  { client, session }: Asking,
  { pool }: Database,
): Promise<readonly AskedAdvisory[]> {
  const { rows } = await pool.query<AskedAdvisory>(
    `SELECT a.external_id AS id, a.cves FROM advisories a JOIN advisory_packages p ON p.advisory_id = a.id
     JOIN package_version_advisories m ON m.advisory_package_id = p.id GROUP BY a.id ORDER BY count(*) DESC LIMIT 30`,
  );
  const found: AskedAdvisory[] = [];
  for (const advisory of rows) {
    const { body } = await client.send({ path: `${hostsOf(advisory)}?limit=1`, token: session });
    if (Array.isArray(body) && body.length > 0) found.push(advisory);
    if (found.length === 3) break;
  }
  return found;
}

function hostsOf({ id }: AskedAdvisory): string {
  return `/advisories/${encodeURIComponent(id)}/hosts`;
}

function sortPaths(): readonly string[] {
  return hostSortFields.flatMap((field) => [
    `/hosts?limit=100&sort=${field}`,
    `/hosts?limit=100&sort=-${field}`,
  ]);
}

const filterPaths = [
  'status=stale',
  'status=active',
  'severity=critical',
  'finding_severity=moderate',
  'has_findings=true',
  'known_exploited=true',
  'unfixed=false',
  'needs_reboot=true',
  'updates_state=known',
  'gap=package_lists_unknown',
  'gap=feed_outdated',
  'overall_action=none',
  'overall_action=update_security',
  'os_name=debian&os_major=12',
  'has_updates=true&sort=-available_updates',
  'q=db-0000',
];

async function measureQuestion(
  asking: Asking,
  { what, wanted, paths, clients = fourClients }: Question,
): Promise<ResultRow> {
  const figures: Record<string, number | null> = {};
  const failed: string[] = [];
  for (const path of paths) {
    const { durations, status } = await measurePath(asking, path, clients);
    if (status === 200) figures[path] = percentilesOf(durations).p99;
    else failed.push(`${path}: ${status}`);
  }
  const worst = Object.entries(figures).toSorted(([, a], [, b]) => (b ?? 0) - (a ?? 0));
  const [path = 'nothing', p99 = null] = worst[0] ?? [];
  for (const failure of failed) say(`${what}: ${failure}`);
  const problem = failed.length === 0 ? '' : `; ${failed.length} paths failed`;
  return {
    what,
    wanted: `p99 ${wanted} ms`,
    measured:
      p99 === null
        ? `not measured${problem}`
        : `worst p99 ${p99} ms (${path}), of ${worst.length} paths${problem}`,
    figures,
    isMet: p99 === null ? null : failed.length === 0 && p99 <= wanted,
  };
}

async function measurePath(
  { client, session }: Asking,
  path: string,
  clients: number,
): Promise<{ readonly durations: readonly number[]; readonly status: number }> {
  const durations: number[] = [];
  let status = 200;
  const deadline = performance.now() + longestPerPathMs;
  // One request before, because the first of a kind prepares statements and caches.
  await client.send({ path, token: session });
  await inLanes(
    Array.from({ length: requestsPerPath }, (_, n) => n),
    clients,
    async () => {
      const startedAt = performance.now();
      if (startedAt > deadline) return;
      const answer = await client.send({ path, token: session });
      durations.push(performance.now() - startedAt);
      if (answer.status !== 200) status = answer.status;
    },
  );
  return { durations, status };
}

/** The summary of the fleet after a change of a host, which invalidates what was counted. */
async function measureSummary({ client, session, wanted }: Asking, { pool }: Database): Promise<ResultRow> {
  const durations: number[] = [];
  // One request before, as for the other questions.
  await client.send({ path: '/fleet/summary', token: session });
  for (let run = 0; run < 10; run += 1) {
    await pool.query('UPDATE hosts SET tags = tags WHERE id = (SELECT id FROM hosts ORDER BY id LIMIT 1)');
    const startedAt = performance.now();
    const { status } = await client.send({ path: '/fleet/summary', token: session });
    if (status !== 200) throw new Error(`/fleet/summary was answered ${status}`);
    durations.push(performance.now() - startedAt);
  }
  const { p50, longest } = percentilesOf(durations);
  return {
    what: 'GET /fleet/summary anew',
    wanted: `${wanted(50, 150)} ms`,
    measured: `p50 ${p50} most ${longest} ms, of ${durations.length}`,
    figures: { p50, longest },
    isMet: longest !== null && longest <= wanted(50, 150),
  };
}

const findingGroupings = ['advisory', 'cve', 'package', 'host'];
const findingFilters = ['severity=critical', 'known_exploited=true', 'q=openssl', 'fix_state=installable'];
/** Findings of the fleet and of some hosts, each question for the first time: answers are kept for some time. The first reads all lists. */
async function measureFindings(asking: Asking, { pool }: Database): Promise<readonly ResultRow[]> {
  const { rows: tags } = await pool.query<{ tag: string }>(
    'SELECT tag FROM hosts CROSS JOIN unnest(tags) AS tag GROUP BY tag ORDER BY count(*) DESC LIMIT 4',
  );
  const fleet = findingGroupings.flatMap((grouping) =>
    ['', ...findingFilters].map((filter) => `group_by=${grouping}&${filter}`),
  );
  await firstAnswers(asking, fleet.slice(0, 1));
  const { wanted } = asking;
  return [
    longestOf(
      'GET /findings of the fleet, not asked before',
      wanted(300, 1_000),
      await firstAnswers(asking, fleet.slice(1)),
    ),
    longestOf(
      'GET /findings of some hosts, not asked before',
      wanted(3_000, 12_000),
      await firstAnswers(
        asking,
        tags.map(({ tag }) => `group_by=advisory&tag=${encodeURIComponent(tag)}`),
      ),
    ),
  ];
}

async function firstAnswers(
  { client, session }: Asking,
  questions: readonly string[],
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const question of questions) {
    const path = `/findings?limit=100&${question}`;
    const startedAt = performance.now();
    const { status } = await client.send({ path, token: session });
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    figures[path] = Math.round(performance.now() - startedAt);
  }
  return figures;
}

function longestOf(what: string, wanted: number, figures: Readonly<Record<string, number>>): ResultRow {
  const longest = Math.max(...Object.values(figures));
  return {
    what,
    wanted: `${wanted} ms`,
    measured: `most ${longest} ms, of ${Object.keys(figures).length}`,
    figures,
    isMet: Number.isFinite(longest) ? longest <= wanted : null,
  };
}
