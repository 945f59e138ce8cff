import { literalUses, literalUsesIn, sourceFiles } from './literal-uses.ts';
import { checkWithThirdScheme } from './third-scheme.ts';

/** The files that may list names of the closed lists, and why a new name is handled there. */
const allowed = new Map([
  ['packages/model/src/package-family.ts', 'it has the lists'],
  ['packages/model/src/version-scheme.ts', 'it has the list'],
  ['packages/advisories/src/upgrade/package-manager.ts', 'the rpm family alone has several managers'],
]);

describe('a version scheme, package family, package manager and kind of feed more', () => {
  it('makes the compiler name every table without an entry for it, and nothing else', () => {
    expect(checkWithThirdScheme()).toEqual({
      missing: {
        'third-scheme': [
          'packages/versions/src/version-schemes.ts',
          'packages/versions/src/version.ts',
          'packages/versions/tests/corpora.test.ts',
          'packages/versions/tests/laws.test.ts',
          'packages/versions/tests/sort-key.test.ts',
        ],
        'third-family': [
          'apps/api/src/operations/advisories/version-bound.ts',
          'apps/api/src/operations/sbom/package-purl.ts',
          'apps/api/src/scripts/host-scripts.ts',
          'apps/dashboard/src/words/family-words.ts',
          'apps/dashboard/src/words/family-words.ts',
          'apps/dashboard/src/words/family-words.ts',
          'apps/dashboard/src/words/family-words.ts',
          'benches/report-parse.bench.ts',
          'packages/advisories/src/derivatives.ts',
          'packages/advisories/src/host/core-packages.ts',
          'packages/advisories/src/repositories/repository-identity.ts',
          'packages/advisories/src/upgrade/package-manager.ts',
          'packages/reports/src/report/assembly/assemble-snapshot.ts',
          'packages/reports/src/report/assembly/reboot-state.ts',
          'packages/reports/src/snapshot/decode-packages.ts',
          'packages/reports/src/snapshot/os-family.ts',
          'tools/accuracy/src/inventory/host-list.ts',
          'tools/accuracy/src/inventory/host-list.ts',
          'tools/accuracy/src/labels/label-host.ts',
        ],
        'third-manager': [
          'apps/api/src/operations/plans/plan-playbook.ts',
          'packages/advisories/src/upgrade/package-manager.ts',
        ],
        'fifth-kind': [
          'apps/dashboard/src/words/feed-words.ts',
          'packages/advisories/src/feeds/registry.ts',
          'packages/db/src/feeds/import-kinds.ts',
        ],
      },
      others: [],
    });
  });
});

describe('sources', () => {
  it('decide only by tables, never by the name of a scheme, a family or a package manager', () => {
    expect(sourceFiles().length).toBeGreaterThan(1000);
    const uses = literalUses();
    expect([...uses].filter(([file]) => !allowed.has(file))).toEqual([]);
    expect([...allowed.keys()].filter((file) => !uses.has(file))).toEqual([]);
  });

  it.each([
    `if (scheme === 'dpkg') return a;`,
    `if ('rpm' !== family) return a;`,
    `return family === "apt";`,
    `switch (manager) { case 'zypper': return a; }`,
    `z.enum(['apt', 'rpm'])`,
    `type Family =\n  | 'apt'\n  | 'rpm';`,
    `const known = isApt ? 'apt' : 'rpm';`,
    `WHERE os_family = 'rpm'`,
    `families.includes('apt')`,
  ])('would be found out with %s', (text) => {
    expect(literalUsesIn(text)).not.toEqual([]);
  });

  it.each([
    `const scheme: VersionScheme = rules.scheme;`,
    `versionKey('rpm', version)`,
    `// if (scheme === 'dpkg') return a;`,
    `{ apt: aptState, rpm: rpmState }`,
  ])('may say %s', (text) => {
    expect(literalUsesIn(text)).toEqual([]);
  });
});
