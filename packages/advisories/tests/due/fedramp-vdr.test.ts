import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, deadlineOf, dueTermsOf, presetPolicy } from '@plimsoll/advisories';
import type { HostExposure } from '@plimsoll/model';
import { cveOf, factsOf, published } from './facts.ts';

/** FedRAMP/rules, commit 12fe1b6, VDR-TFR-PVR: Class C, days from the evaluation. */
const table = readFileSync(join(__dirname, 'testdata/fedramp-vdr-class-c.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').map(Number));
const cells = table.flatMap(([rating = 0, reachable = 0, other = 0, unlikely = 0]) => [
  [
    `PAIN-${rating}, likely exploitable, internet-reachable`,
    [`pain-${rating}`],
    'public',
    reachable,
  ] as const,
  [`PAIN-${rating}, likely exploitable`, [`pain-${rating}`], 'internal', other] as const,
  [`PAIN-${rating}, not likely exploitable`, [`pain-${rating}-unlikely`], 'public', unlikely] as const,
]);

const reportedAt = published + 10 * dayMs;
const cves = {
  unfixed: cveOf({ ssvc: null }),
  listed: cveOf({ exploitedAt: reportedAt + 5 * dayMs }),
  active: cveOf({ ssvc: { exploitation: 'active', automatable: false, impact: 'partial' } }),
};

function judge(tags: readonly string[], exposure: HostExposure, cve = cves.unfixed) {
  const terms = dueTermsOf(presetPolicy('fedramp-vdr'), exposure, tags);
  const times = { installedAt: reportedAt, firstReportAt: reportedAt };
  return deadlineOf(factsOf({ fix: null, cves: [cve] }), terms, times);
}

it('reads all twelve cells', () => {
  expect(cells).toHaveLength(12);
});

it.each(cells)('%s: by tag %j on a %s host, %i days since the detection', (_what, tags, exposure, days) => {
  expect(judge(tags, exposure)).toMatchObject({ days, at: reportedAt + days * dayMs, clock: 'detected' });
  // VDR-TFR-KEV: also by the date of CISA's directive, of which the shortest time is three days.
  for (const cve of [cves.listed, cves.active])
    expect(judge(tags, exposure, cve)).toMatchObject({ days: Math.min(days, 3), startedAt: reportedAt });
});

it('leaves PAIN-1 to routine operations, except exploited CVEs', () => {
  expect(judge(['pain-1'], 'public')).toMatchObject({ at: null, undated: 'next_upgrade' });
  expect(judge(['pain-1'], 'public', cves.listed)).toMatchObject({ days: 3 });
});

it('counts a host without a rating as PAIN-5, one of unknown exposure as reachable, and of several tags the strictest', () => {
  expect(judge(['web'], 'internal')).toMatchObject({ days: 4 });
  expect(judge([], 'unknown')).toMatchObject({ days: 2, assumptions: ['exposure_unknown'] });
  expect(judge(['pain-2', 'pain-4', 'pain-1', 'pain-3-unlikely'], 'public')).toMatchObject({ days: 4 });
  expect(judge(['pain-2', 'pain-5-unlikely'], 'internal')).toMatchObject({ days: 16 });
});
