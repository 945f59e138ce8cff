import { parseReport, readReportObservation } from '../../src/index.ts';
import { parseReleaseDate } from '../../src/report/release-date.ts';
import { buildReport, debian } from './report-builder.ts';

const receivedAt = new Date('2026-11-22T12:00:00Z');

function observed(...lines: readonly string[]) {
  const report = buildReport('apt', { ...debian, observed: lines.join('\n') });
  const whole = parseReport(report, { receivedAt });
  const beginning = readReportObservation(report, { receivedAt });
  if (whole.kind !== 'snapshot' || beginning.kind !== 'observed') throw new Error('the report is refused');
  expect(beginning.observation).toEqual(whole.snapshot.observed);
  return whole.snapshot.observed.refreshed;
}

describe('the repository observations of a report', () => {
  it('include the dates of Release files', () => {
    // As in Debian's Release file of bookworm-security of 2026-11-18.
    const dates = 'Wed, 18 Nov 2026 22:17:41 UTC\tWed, 25 Nov 2026 22:17:41 UTC';
    expect(
      observed(`refreshed\tsecurity.debian.org_dists_bookworm-security\t1795189797\t${dates}\t`),
    ).toEqual([
      {
        repositoryId: 'security.debian.org_dists_bookworm-security',
        at: new Date(1_795_189_797_000),
        publishedAt: new Date('2026-11-18T22:17:41Z'),
        validUntil: new Date('2026-11-25T22:17:41Z'),
        error: '',
      },
    ]);
  });

  it('include the revision of repomd.xml', () => {
    expect(observed('refreshed\tbaseos\t1795189797\t1739786713')).toMatchObject([
      { publishedAt: new Date(1_739_786_713_000), validUntil: null },
    ]);
  });

  it('have no fetch time after the copy’s own time if the last fetch failed', () => {
    expect(
      observed('refreshed\tx\t1795189797\tWed, 18 Nov 2026 22:17:41 UTC\t\tthe key has expired'),
    ).toEqual([
      {
        repositoryId: 'x',
        at: new Date('2026-11-18T22:17:41Z'),
        publishedAt: new Date('2026-11-18T22:17:41Z'),
        validUntil: null,
        error: 'the key has expired',
      },
    ]);
  });

  it('keep readable values next to unreadable ones', () => {
    expect(observed('refreshed\ta\tnow\tyesterday\tsoon\t', 'refreshed\tb\t1795189797\tyesterday')).toEqual([
      { repositoryId: 'b', at: new Date(1_795_189_797_000), publishedAt: null, validUntil: null, error: '' },
    ]);
  });

  it('are read from older collectors, which lack these columns', () => {
    expect(observed('refreshed\tx_InRelease\t1795189797')).toEqual([
      { repositoryId: 'x', at: new Date(1_795_189_797_000), publishedAt: null, validUntil: null, error: '' },
    ]);
  });

  it('have errors of limited length', () => {
    expect(
      observed(`refreshed\tx\t1795189797\t\t\t${'long '.repeat(1000)}`)[0]?.error.length,
    ).toBeLessThanOrEqual(300);
  });
});

describe('parseReleaseDate', () => {
  it.each([
    ['Thu, 25 Apr 2024 15:10:33 UTC', '2024-04-25T15:10:33Z'],
    ['Sat, 01 Nov 2026 08:00:00 +0000', '2026-11-01T08:00:00Z'],
    ['Sat,  1 Nov 2026  8:00:00 GMT', '2026-11-01T08:00:00Z'],
    ['1739786713', '2025-02-17T10:05:13Z'],
  ])('reads %s', (text, expected) => {
    const seconds = parseReleaseDate(text.replace('  8:', ' 8:'))?.seconds;
    expect(new Date(Number(seconds) * 1000)).toEqual(new Date(expected));
  });

  it.each([
    '',
    'x',
    '31 Feb 2026 08:00:00 UTC',
    '1 Nov 2026 25:00:00 UTC',
    '1 Nov 2026 08:00:00 CET',
    '8.10',
    '-1',
  ])('rejects %j', (text) => expect(parseReleaseDate(text)).toBeNull());
});
