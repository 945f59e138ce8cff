import type { PackageVersionId } from '@plimsoll/model';
import { stateOfGroup } from '../src/judging/affected/host-groups.ts';
import type { CveKnowledge } from '../src/knowledge/cve-knowledge.ts';

const publishedAt = new Date('2026-05-20T00:00:00Z');
const feedUpdatedAt = new Date('2026-05-01T00:00:00Z');
const group = {
  releaseId: 1,
  gapBits: 0,
  feedUpdatedAt,
  number: 0,
  kernelId: 0 as PackageVersionId, // None.
  runsUnknownKernel: false,
};
const knowledge: CveKnowledge = {
  key: 'CVE-2026-1000',
  isKnown: true,
  publishedAt,
  namedReleases: new Set([1]),
  judgedReleases: new Set([1]),
  isAboutKernels: false,
  versions: new Map(),
};

it('a feed of unfixed packages that names the release does not replace an older feed of fixes', () => {
  const state = (judged: CveKnowledge['judgedReleases'], updatedAt = feedUpdatedAt) =>
    stateOfGroup({ ...group, feedUpdatedAt: updatedAt }, { ...knowledge, judgedReleases: judged }, []);
  expect(state(new Set([1]))).toEqual({ state: 'not_affected', reason: 'no_named_package' });
  expect(state(new Set())).toEqual({ state: 'unknown', reason: 'feed_outdated' });
  expect(state(new Set(), publishedAt)).toEqual({ state: 'not_affected', reason: 'no_named_package' });
});
