import type { FeedOverride } from '@plimsoll/advisories';
import {
  type AdvisoryKey,
  anyBuild,
  groupBy,
  type PackageVersionId,
  type Release,
  type Statement,
} from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import type { Statements } from '../src/core/transaction.ts';
import { applyOverrides, createHostCounter } from '../src/index.ts';
import { asKnownAt, tablesOf } from '../src/knowledge/as-known-at.ts';
import { knowledgeMemories } from '../src/knowledge/knowledge-memory.ts';
import { KnownAdvisories } from '../src/knowledge/known-advisories.ts';
import type { MatchSpan } from '../src/knowledge/known-versions.ts';
import { KeptVersions, KnownVersions, statementsAt } from '../src/knowledge/known-versions.ts';
import { matchNewVersions } from '../src/knowledge/match-versions.ts';
import { loadMatchedStatements } from '../src/knowledge/statements.ts';
import { backdateAllChanges } from '../src/seeding/backdate-change.ts';
import {
  arrivedVersion,
  importExploited,
  importRecords,
  matchedVersion,
  type RecordToImport,
} from './record-import.ts';

const cves = ['CVE-2026-1000', 'CVE-2026-2000', 'CVE-2026-3000', 'CVE-2026-4000'];

const database = databasePerTest();

/** Numbers below `n` that are the same in each run. */
function createDraw(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

function drawRecord(draw: (n: number) => number): RecordToImport {
  const cve = cves[draw(cves.length)] ?? '';
  const other = cves[draw(cves.length)] ?? '';
  return {
    id: draw(3) === 0 ? `DSA-${draw(3)}` : cve,
    kind: draw(3) === 0 ? 'erratum' : 'vulnerability',
    title: `title ${draw(3)}`,
    cves: [...new Set([cve, other])].sort(),
    fixed: [null, '1-2', '2-2', '0-9'][draw(4)] ?? null,
    severity: draw(2) === 0 ? 'low' : 'important',
    withdrawn: draw(5) === 0,
    builds: draw(4) === 0 ? [{ ...anyBuild, architectures: ['amd64'] }] : [anyBuild],
  };
}

async function correct(cve: string): Promise<void> {
  const override: FeedOverride = {
    feed: 'debian-osv',
    release: 'debian:12' as Release,
    package: 'curl',
    cve,
    affectedFrom: '1-0',
    affectedBefore: '2-0',
    reason: 'A test.',
    source: 'https://example.org',
  };
  await applyOverrides(
    database.as('advisory-worker'),
    { origin: 'project', overrides: [override] },
    createHostCounter(),
  );
}

/** Changes what is known, in one of all ways. */
async function change(draw: (n: number) => number): Promise<void> {
  const way = draw(6);
  if (way === 0)
    await importExploited(
      database,
      cves.filter(() => draw(2) === 0),
    );
  else if (way === 1) await correct(cves[draw(cves.length)] ?? '');
  else {
    const drawn = Array.from({ length: 1 + draw(3) }, () => drawRecord(draw));
    const records = [...new Map(drawn.map((record) => [record.id, record])).values()];
    await importRecords(database, records, draw(4) === 0 ? ['debian-osv'] : []);
  }
}

async function changeTimes(): Promise<readonly Date[]> {
  const { rows } = await database.db.pool.query<{ at: Date }>('SELECT at FROM knowledge_changes ORDER BY id');
  return rows.flatMap(({ at }) => [new Date(at.getTime() - 1), at]);
}

/** Statements in a form that can be compared: keys are bytes of other classes. */
const plain = (statements: readonly Statement[] = []): unknown =>
  JSON.parse(
    JSON.stringify(statements, (_key, value) =>
      value?.type === 'Buffer' || value instanceof Uint8Array
        ? Buffer.from(value.data ?? value).toString('hex')
        : value,
    ),
  );

function knownAt(at: Date | null): Statements {
  const { pool } = database.as('api');
  return at === null ? pool : asKnownAt(pool, at);
}

async function titlesIn(at: Date | null, keys: readonly AdvisoryKey[]) {
  const values: unknown[] = [keys];
  const client = knownAt(at);
  const { rows } = await client.query<{ id: AdvisoryKey; title: string }>(
    `SELECT id, title FROM ${tablesOf(client, values).advisories} a WHERE id = ANY($1::int[])`,
    values,
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}

async function exploitedIn(at: Date | null) {
  const values: unknown[] = [cves];
  const client = knownAt(at);
  const { rows } = await client.query<{ exploited: boolean }>(
    `SELECT EXISTS (SELECT FROM ${tablesOf(client, values).cves} c WHERE id = w.cve AND exploited_since IS NOT NULL) AS exploited
     FROM unnest($1::text[]) WITH ORDINALITY AS w (cve, n) ORDER BY n`,
    values,
  );
  return rows.map(({ exploited }) => exploited);
}

async function spansIn(id: PackageVersionId): Promise<ReadonlyMap<AdvisoryKey, readonly MatchSpan[]>> {
  const { rows } = await database.db.pool.query<MatchSpan>(
    `SELECT s.advisory_id AS advisory, since, since_cause AS "sinceCause", until, until_cause AS "untilCause", known_at AS "knownAt"
     FROM (SELECT advisory_package_id, since, since_cause, NULL::timestamptz AS until, NULL AS until_cause, known_at
           FROM package_version_advisories WHERE package_version_id = $1
           UNION ALL SELECT advisory_package_id, since, since_cause, until, until_cause, known_at
           FROM past_matches WHERE package_version_id = $1) m
     JOIN (SELECT id, advisory_id FROM advisory_packages UNION SELECT id, advisory_id FROM past_statements) s
       ON s.id = m.advisory_package_id ORDER BY since`,
    [id],
  );
  return groupBy(rows, ({ advisory }) => advisory);
}

it.each([1, 2, 3])('agree with what is stored, at each time that changed it (seed %i)', async (seed) => {
  const { pool } = database.as('api');
  const draw = createDraw(seed * 7_919);
  const memories = knowledgeMemories(pool);
  const ids = [
    await matchedVersion(database, '1-1'),
    await matchedVersion(database, '2-1'),
    await matchedVersion(database, '2-1', 'libcurl4'),
  ];
  let statements = 0;
  for (let step = 0; step < 10; step += 1) {
    await change(draw);
    if (step === 5) ids.push(await matchedVersion(database, '1-3'));
    const { versions, advisories } = await memories.current();
    const exploited = await versions.exploited();
    for (const at of [null, ...(await changeTimes())]) {
      const stored = await loadMatchedStatements(knownAt(at), ids);
      const known = statementsAt(await versions.read(ids), at, exploited);
      for (const id of ids) expect([at, plain(known.get(id))]).toEqual([at, plain(stored.get(id))]);
      const keys = [...stored.values()].flat().map(({ advisory }) => advisory);
      const details = await advisories.describe([...new Set(keys)], at);
      expect(new Map([...details].map(([key, { title }]) => [key, title]))).toEqual(await titlesIn(at, keys));
      expect(cves.map((cve) => exploited.listedSince(cve, at) !== null)).toEqual(await exploitedIn(at));
      statements += keys.length;
    }
    for (const id of ids) {
      const { history } = (await versions.read([id])).get(id) ?? {};
      for (const [advisory, spans] of await spansIn(id))
        expect(history?.spansOf(advisory).toSorted((a, b) => a.since.getTime() - b.since.getTime())).toEqual(
          spans,
        );
    }
  }
  expect(statements).toBeGreaterThan(100);
});

/** Memories, and the statements that they run. */
function watchedMemories() {
  const { pool } = database.as('api');
  const texts: string[] = [];
  const memories = knowledgeMemories({
    query(text, values) {
      texts.push(text);
      return pool.query(text, values);
    },
  });
  return { memories, texts };
}

it('are read once until a change concerns them', async () => {
  const { memories, texts } = watchedMemories();
  const id = await matchedVersion(database, '1-1');
  await importRecords(database, [{ id: cves[0] ?? '', fixed: '1-2' }]);
  /** The statements that affect the version, and whether it was read from the database. */
  const read = async () => {
    texts.length = 0;
    const { versions } = await memories.current();
    const known = statementsAt(await versions.read([id]), null, await versions.exploited());
    const isLoaded = texts.some((text) => text.includes('package_versions'));
    return [
      known.get(id)?.map(({ externalId, knownExploited }) => ({ externalId, knownExploited })),
      isLoaded,
    ];
  };
  const listed = (knownExploited: boolean) => [{ externalId: cves[0], knownExploited }];
  expect(await read()).toEqual([listed(false), true]);
  expect(await read()).toEqual([listed(false), false]);
  expect(texts).toHaveLength(1);
  await importExploited(database, ['CVE-2020-1']);
  expect(await read()).toEqual([listed(false), false]);
  await importExploited(database, [cves[0] ?? '']);
  expect(await read()).toEqual([listed(true), true]);
  await importRecords(database, [{ id: cves[1] ?? '', fixed: '1-0' }]);
  expect(await read()).toEqual([listed(true), true]);
});

it('dates of statements are read once, and anew after any change', async () => {
  const { memories, texts } = watchedMemories();
  const id = await matchedVersion(database, '1-1');
  await importRecords(database, [{ id: cves[0] ?? '', fixed: '1-2' }]);
  const exploitedAt = async () => {
    const { versions, dated } = await memories.current();
    const known = statementsAt(await versions.read([id]), null, await versions.exploited());
    texts.length = 0;
    const [statement] = (await dated.dateAll(known)).get(id) ?? [];
    return statement?.dates?.cves.map((cve) => cve.exploitedAt);
  };
  expect(await exploitedAt()).toEqual([null]);
  expect(texts).toHaveLength(2);
  expect(await exploitedAt()).toEqual([null]);
  expect(texts).toEqual([]);
  await importExploited(database, [cves[0] ?? '']);
  expect(await exploitedAt()).toEqual([Date.UTC(2024, 0, 2)]);
  expect(texts).toHaveLength(2);
  expect(await exploitedAt()).toEqual([Date.UTC(2024, 0, 2)]);
  expect(texts).toEqual([]);
});

it('what was read before a change is not kept after it', async () => {
  const { pool } = database.as('api');
  const id = await matchedVersion(database, '1-1');
  await importRecords(database, [{ id: cves[0] ?? '', fixed: '1-2' }]);
  let proceed = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  let holds = true;
  const memories = knowledgeMemories({
    async query(text, values) {
      const answer = await pool.query(text, values);
      if (holds && text.includes('matches_ever')) {
        holds = false;
        await held;
      }
      return answer;
    },
  });
  const matchesOf = async () => {
    const { versions } = await memories.current();
    return statementsAt(await versions.read([id]), null, await versions.exploited()).get(id)?.length ?? 0;
  };
  const early = matchesOf();
  while (holds) await new Promise((resolve) => setImmediate(resolve));
  await importRecords(database, [{ id: cves[0] ?? '', fixed: '1-1' }]);
  await memories.current();
  proceed();
  expect(await early).toBe(1);
  expect(await matchesOf()).toBe(0);
});

it('a version that was not matched yet is read again', async () => {
  const memories = knowledgeMemories(database.as('api').pool);
  await importRecords(database, [{ id: cves[0] ?? '', fixed: '1-2' }]);
  const id = await arrivedVersion(database, '1-1');
  const matchesOf = async () => {
    const { versions } = await memories.current();
    return statementsAt(await versions.read([id]), null, await versions.exploited()).get(id)?.length ?? 0;
  };
  expect(await matchesOf()).toBe(0);
  await matchNewVersions(database.as('advisory-worker'), async () => [id]);
  expect(await matchesOf()).toBe(1);
});

it('what is asked for is answered whole by memories that are too small for it', async () => {
  const { pool } = database.as('api');
  await importRecords(
    database,
    cves.map((id) => ({ id, fixed: '1-2' })),
  );
  const ids = [];
  for (const version of ['1-0', '1-1', '1-2']) ids.push(await matchedVersion(database, version));
  const { rows } = await pool.query<{ id: AdvisoryKey }>('SELECT id FROM advisories ORDER BY id');
  const keys = rows.map(({ id }) => id);
  const advisories = new KnownAdvisories(pool, 3_500);
  const versions = new KnownVersions(pool, new KeptVersions(12_000));
  for (let n = 0; n < keys.length; n += 1) {
    expect((await advisories.describe(keys.slice(0, n), null)).size).toBe(n);
    expect((await advisories.describe(keys, null)).size).toBe(keys.length);
  }
  for (const some of [ids.slice(0, 2), ids, ids.slice(1), ids])
    expect((await versions.read(some)).size).toBe(some.length);
});

it('a version that is not stored has no entry, and is not taken for one without matches', async () => {
  const memories = knowledgeMemories(database.as('api').pool);
  const unknown = 999_999 as PackageVersionId; // No such row.
  expect((await (await memories.current()).versions.read([unknown])).size).toBe(0);
});

it('a change that seeding moves into the past is dated anew by a service that read it before', async () => {
  const id = await matchedVersion(database, '1-1');
  await importRecords(database, [{ id: cves[0] ?? '', fixed: '1-2' }]);
  const memories = knowledgeMemories(database.as('api').pool);
  const past = new Date('2024-01-02T03:04:05.000Z');
  const knownIn = async (at: Date) => {
    const { versions } = await memories.current();
    return statementsAt(await versions.read([id]), at, await versions.exploited()).get(id)?.length ?? 0;
  };
  const now = new Date();
  expect([await knownIn(past), await knownIn(now)]).toEqual([0, 1]);
  await backdateAllChanges(database.db, past);
  expect([await knownIn(past), await knownIn(now)]).toEqual([1, 1]);
});
