import { checkWithThirdScheme } from './third-scheme.ts';

describe('a version scheme, package family, package manager and kind of feed more', () => {
  it('makes the compiler name every table without an entry for it, and nothing else', () => {
    expect(checkWithThirdScheme()).toEqual({
      missing: {
        'third-scheme': [
          'packages/advisories/src/unfinished.ts',
          'packages/versions/src/version-schemes.ts',
          'packages/versions/tests/corpora.test.ts',
          'packages/versions/tests/laws.test.ts',
          'packages/versions/tests/sort-key.test.ts',
        ],
        'third-family': [
          'apps/api/src/operations/advisories/version-bound.ts',
          'apps/api/src/operations/sbom/package-purl.ts',
          'apps/api/src/scripts/host-scripts.ts',
          'lab/accuracy/src/inventory/host-list.ts',
          'lab/accuracy/src/inventory/host-list.ts',
          'lab/accuracy/src/labels/label-host.ts',
          'lab/benches/report-parse.bench.ts',
          'packages/advisories/src/derivatives.ts',
          'packages/advisories/src/host/core-packages.ts',
          'packages/advisories/src/origin-policy.ts',
          'packages/advisories/src/repositories/repository-identity.ts',
          'packages/advisories/src/upgrade/package-manager.ts',
          'packages/reports/src/report/assembly/assemble-snapshot.ts',
          'packages/reports/src/report/assembly/reboot-state.ts',
          'packages/reports/src/report/parse-report.ts',
          'packages/reports/src/report/parse-report.ts',
          'packages/reports/src/snapshot/decode-packages.ts',
          'packages/reports/src/snapshot/os-family.ts',
          'packages/words/src/family-words.ts',
          'packages/words/src/family-words.ts',
          'packages/words/src/family-words.ts',
          'packages/words/src/family-words.ts',
        ],
        'third-manager': [
          'apps/api/src/operations/plans/ansible-modules.ts',
          'packages/advisories/src/upgrade/package-manager.ts',
          'packages/advisories/src/upgrade/repair-commands.ts',
        ],
        'fifth-kind': [
          'packages/advisories/src/registry/feeds.ts',
          'packages/db/src/knowledge/feeds/import-kinds.ts',
          'packages/words/src/feed-words.ts',
        ],
      },
      others: [],
    });
  });
});
