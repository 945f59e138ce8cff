import { anyBuild, type Release } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import type { Statements } from '../src/core/transaction.ts';
import { type KnowledgeMemories, knowledgeMemories } from '../src/knowledge/knowledge-memory.ts';
import { importRecords } from './record-import.ts';

const debian = 'debian:12' as Release;
const [first, second] = ['CVE-2026-1000', 'CVE-2026-2000'];
const ofArm = { ...anyBuild, architectures: ['aarch64'] };
const never = new Date('2026-01-01T00:00:00Z');

let database: TestDatabase;
let reads: Statements & { texts: string[] };
let memories: KnowledgeMemories;
beforeEach(async () => {
  database = await createTestDatabase();
  const { pool } = database.as('api');
  const texts: string[] = [];
  reads = {
    texts,
    query(text, values) {
      texts.push(text);
      return pool.query(text, values);
    },
  };
  memories = knowledgeMemories(reads);
  await importRecords(database, [
    { id: first, fixed: '1-2' },
    { id: 'DSA-1-1', kind: 'erratum', cves: [first], fixed: '1-2' },
    { id: 'DSA-2-1', kind: 'erratum', cves: [second, first], fixed: '1-3' },
    { id: 'DSA-4-1', kind: 'erratum', cves: [first], fixed: '1-4', withdrawn: true },
    { id: second, fixed: null, builds: [ofArm] },
  ]);
});
afterEach(() => database.drop());

async function readSides(names: readonly string[], knownAt: Date | null = null, release = debian) {
  return (await memories.current()).sides.read(release, names, knownAt);
}

/** The errata of a package that name either CVE, then those with statements about specific builds. */
async function statedAbout(name: string, knownAt: Date | null = null, release = debian) {
  const sides = await readSides([name], knownAt, release);
  const errata = [first, second].flatMap((cve) => sides.errataOf(name, cve));
  return [...new Set(errata), ...sides.ofBuilds(name).map(({ externalId }) => externalId)];
}

function soon(): Date {
  return new Date(Date.now() + 60_000);
}

describe('side statements of a package', () => {
  it('are errata in force by CVE, and statements about specific builds', async () => {
    const sides = await readSides(['curl']);
    expect(sides.errataOf('curl', first)).toEqual(['DSA-1-1', 'DSA-2-1']);
    expect(sides.errataOf('curl', second)).toEqual(['DSA-2-1']);
    expect(sides.errataOf('curl', 'CVE-2026-3000')).toEqual([]);
    expect(sides.ofBuilds('curl')).toMatchObject([
      { externalId: second, builds: ofArm, fix: { kind: 'unfixed' } },
    ]);
  });

  it('name an erratum once that has a statement for each architecture', async () => {
    const ofIntel = { ...anyBuild, architectures: ['x86_64'] };
    await importRecords(database, [
      { id: 'DSA-7-1', kind: 'erratum', cves: [first], fixed: '1-7', builds: [ofArm, ofIntel] },
    ]);
    const sides = await readSides(['curl']);
    expect(sides.errataOf('curl', first)).toEqual(['DSA-1-1', 'DSA-2-1', 'DSA-7-1']);
    expect(sides.ofBuilds('curl')).toMatchObject([
      { externalId: second },
      { externalId: 'DSA-7-1', builds: ofArm, fix: { version: '1-7' } },
      { externalId: 'DSA-7-1', builds: ofIntel },
    ]);
  });

  it('are of the package and the release', async () => {
    expect(await statedAbout('wget')).toEqual([]);
    expect(await statedAbout('curl', null, 'debian:11' as Release)).toEqual([]);
  });

  it('are those known at a time', async () => {
    const before = new Date();
    await importRecords(database, [
      { id: 'DSA-1-1', kind: 'erratum', cves: [first], fixed: '1-2', withdrawn: true },
      { id: 'DSA-5-1', kind: 'erratum', cves: [first], fixed: '1-5' },
    ]);
    expect(await statedAbout('curl')).toEqual(['DSA-2-1', 'DSA-5-1', second]);
    expect(await statedAbout('curl', soon())).toEqual(['DSA-2-1', 'DSA-5-1', second]);
    expect(await statedAbout('curl', before)).toEqual(['DSA-1-1', 'DSA-2-1', second]);
    expect(await statedAbout('curl', never)).toEqual([]);
  });

  it('have the content of the time', async () => {
    const before = new Date();
    await importRecords(database, [
      { id: 'DSA-2-1', kind: 'erratum', cves: [first], fixed: '1-9' },
      { id: second, fixed: '1-8', builds: [ofArm] },
    ]);
    const then = await readSides(['curl'], before);
    expect(then.errataOf('curl', second)).toEqual(['DSA-2-1']);
    expect(then.ofBuilds('curl')).toMatchObject([{ fix: { kind: 'unfixed' } }]);
    const now = await readSides(['curl']);
    expect(now.errataOf('curl', second)).toEqual([]);
    expect(now.ofBuilds('curl')).toMatchObject([{ fix: { version: '1-8' } }]);
  });
});

describe('kept side statements', () => {
  it('are read once, those of past times apart, and those of other packages besides', async () => {
    await statedAbout('curl');
    await statedAbout('curl', soon());
    reads.texts.length = 0;
    expect(await statedAbout('curl')).toEqual(['DSA-1-1', 'DSA-2-1', second]);
    expect(await statedAbout('curl', soon())).toEqual(['DSA-1-1', 'DSA-2-1', second]);
    expect(await statedAbout('curl', never)).toEqual([]);
    expect(reads.texts.filter((text) => !text.includes('knowledge_changes'))).toEqual([]);
    expect(await statedAbout('wget')).toEqual([]);
    expect(reads.texts.filter((text) => !text.includes('knowledge_changes'))).toHaveLength(1);
  });

  it('are read without those of before if the question is about now', async () => {
    await importRecords(database, [{ id: 'DSA-2-1', kind: 'erratum', cves: [first], fixed: '1-9' }]);
    await statedAbout('curl');
    expect(reads.texts.join('\n')).not.toContain('past_');
  });

  it('are read again when the changes go back, as after a restore', async () => {
    await statedAbout('curl');
    const { pool } = database.db;
    await pool.query(`UPDATE advisories SET withdrawn_at = now() WHERE external_id = 'DSA-1-1'`);
    await pool.query('DELETE FROM knowledge_changes');
    expect(await statedAbout('curl')).toEqual(['DSA-2-1', second]);
    reads.texts.length = 0;
    await statedAbout('curl');
    expect(reads.texts).toHaveLength(1);
  });

  it('are read again after an import that changes any', async () => {
    await statedAbout('curl');
    await importRecords(database, [{ id: 'DSA-6-1', kind: 'erratum', cves: [first], fixed: '1-6' }]);
    expect(await statedAbout('curl')).toEqual(['DSA-1-1', 'DSA-2-1', 'DSA-6-1', second]);
  });

  it('are not those of a read that began before a change that another read has seen', async () => {
    const { pool } = database.as('api');
    let hold = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    let holds = true;
    memories = knowledgeMemories({
      async query(text, values) {
        const isLoad = text.includes('advisory_packages');
        const answer = await pool.query(text, values);
        if (isLoad && holds) {
          holds = false;
          await held;
        }
        return answer;
      },
    });
    const early = statedAbout('curl');
    while (holds) await new Promise((resolve) => setImmediate(resolve));
    await importRecords(database, [{ id: 'DSA-6-1', kind: 'erratum', cves: [first], fixed: '1-6' }]);
    expect(await statedAbout('wget')).toEqual([]);
    hold();
    expect(await early).toEqual(['DSA-1-1', 'DSA-2-1', second]);
    expect(await statedAbout('curl')).toEqual(['DSA-1-1', 'DSA-2-1', 'DSA-6-1', second]);
  });
});
