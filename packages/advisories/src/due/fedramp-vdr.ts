import type { DueRule } from './due-rule.ts';

/**
 * Days of VDR-TFR-PVR for Class C by Potential Agency Impact N-rating: likely exploitable and reachable from the internet,
 * likely exploitable otherwise, and not likely exploitable.
 */
const days = [
  [5, 2, 4, 16],
  [4, 4, 8, 64],
  [3, 16, 32, 128],
  [2, 48, 128, 192],
] as const;

const routine = 'pain-1';

/** The tags by which a host states what the provider has evaluated. */
const tags = [routine, ...days.flatMap(([rating]) => [`pain-${rating}`, `pain-${rating}-unlikely`])];

/** VDR-TFR-KEV has exploited CVEs follow CISA's directive 26-04: three days are its shortest time. */
const exploited = rule(3, { exploitation: 'active' });

/**
 * FedRAMP's Vulnerability Detection and Response rules for Class C (FedRAMP/rules, commit 12fe1b6). A host without a tag
 * counts as PAIN-5, and likely exploitable. Shorter times first, because the first rule that applies counts: of several tags
 * of a host the strictest. FedRAMP counts from the evaluation; the detection is earlier.
 */
export const fedrampVdr: readonly DueRule[] = [
  ...[
    ...days.flatMap(([rating, reachable, likely, unlikely]) => [
      rule(reachable, { tags: [`pain-${rating}`], exposure: 'public' }),
      rule(likely, { tags: [`pain-${rating}`] }),
      rule(unlikely, { tags: [`pain-${rating}-unlikely`] }),
    ]),
    { ...exploited, tags },
  ].toSorted((a, b) => a.within - b.within),
  rule('next_upgrade', { tags: [routine] }),
  rule(days[0][1], { exposure: 'public' }),
  exploited,
  rule(days[0][2], {}),
];

function rule<Within extends DueRule['within']>(
  within: Within,
  conditions: Pick<DueRule, 'tags' | 'exposure' | 'exploitation'>,
) {
  return { ...conditions, within, clock: 'detected', forensics: false } as const;
}
