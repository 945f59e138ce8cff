import { databasePerTest } from '@plimsoll/testing';
import { bring } from './worker-under-test.ts';

const database = databasePerTest();

const open = { status: 'open', urgency: 'not yet assigned' };
const cve = 'CVE-2024-0001';

/** One vulnerability of some packages, as in the tracker's JSON. */
const trackerJson = (packages: Readonly<Record<string, object>>, id = cve) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(packages).map(([name, releases]) => [
        name,
        { [id]: { description: 'It fails.', releases } },
      ]),
    ),
  );

/** OSV's record of the vulnerability in packages of Debian 12, without a fix and with a CVSS score. */
const osvJson = (names: readonly string[], impact = 'C:H/I:H/A:H') =>
  JSON.stringify({
    id: `DEBIAN-${cve}`,
    upstream: [cve],
    severity: [{ type: 'CVSS_V3', score: `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/${impact}` }],
    affected: names.map((name) => ({
      package: { ecosystem: 'Debian:12', name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
    })),
  });

/** The tracker's statements. */
async function stated() {
  const found = await database.db.prisma.advisoryPackage.findMany({
    where: { advisory: { feedId: 'debian-tracker' } },
    include: { release: true },
    orderBy: [{ name: 'asc' }, { releaseId: 'asc' }],
  });
  return found.map((row) => {
    const fix = row.fixedVersion ?? `${row.unfixedReason} ${row.unfixedDetail}`;
    return `${row.name} ${row.release.name} ${fix} ${row.severity} ${row.severitySource}`;
  });
}

describe("an import of the JSON of Debian's security tracker", () => {
  it('makes one record of a CVE in several packages, and removes what a later one lacks', async () => {
    const ignored = { ...open, nodsa: 'Minor issue', nodsa_reason: 'ignored' };
    const fixed = { ...open, status: 'resolved', fixed_version: '2-1' };
    await bring(
      database,
      trackerJson({ curl: { bookworm: ignored, sid: open }, wget: { bookworm: fixed } }),
      {
        complete: true,
      },
    );
    expect(await stated()).toEqual([
      'curl debian:12 will_not_fix ignored (Minor issue) unrated none',
      'wget debian:12 2-1 unrated none',
    ]);
    expect(await database.db.prisma.advisory.findMany({ select: { externalId: true, cves: true } })).toEqual([
      { externalId: `DEBIAN-${cve}`, cves: [cve] },
    ]);
    await bring(database, trackerJson({ wget: { bookworm: fixed } }), { complete: true });
    expect(await stated()).toEqual(['wget debian:12 2-1 unrated none']);
  });

  it('takes severities from the OSV of the same CVE, in either order of arrival', async () => {
    const tracker = trackerJson({
      curl: { bookworm: open },
      wget: { bookworm: { ...open, urgency: 'low' } },
    });
    const rated = ['curl debian:12 no_fix  critical cvss', 'wget debian:12 no_fix  low vendor'];
    await bring(database, tracker);
    expect(await stated()).toEqual([
      'curl debian:12 no_fix  unrated none',
      'wget debian:12 no_fix  low vendor',
    ]);
    await bring(database, osvJson(['curl', 'wget']));
    expect(await stated()).toEqual(rated);
    await bring(
      database,
      trackerJson({}, 'CVE-2024-0002').replace(
        '{}',
        '{"zlib":{"CVE-2024-0002":{"releases":{"bookworm":{}}}}}',
      ),
      {
        complete: true,
      },
    );
    await bring(database, tracker);
    expect(await stated()).toEqual([...rated, 'zlib debian:12 no_fix  unrated none']);
    await bring(database, osvJson(['curl', 'wget'], 'C:N/I:N/A:L'));
    expect(await stated()).toContain('curl debian:12 no_fix  moderate cvss');
  });
});
