import type { DueFacts } from '@plimsoll/advisories';
import type { DueCve } from '@plimsoll/model';

/** 2026-06-01, when everything below was published. */
export const published = Date.UTC(2026, 5, 1, 9, 30);

/** A CVE outside KEV, decided as not automatable with partial impact. */
export function cveOf(changes: Partial<DueCve> = {}): DueCve {
  return {
    id: 'CVE-2026-1000',
    exploitedAt: null,
    ssvc: { exploitation: 'none', automatable: false, impact: 'partial' },
    ...changes,
  };
}

/** A fixed important advisory about one CVE. */
export function factsOf(changes: Partial<DueFacts> = {}): DueFacts {
  return {
    severity: 'important',
    cves: [cveOf()],
    fix: { publishedAt: published, isDateKnown: true },
    statedAt: published,
    ...changes,
  };
}
