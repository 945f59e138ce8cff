import { literalUses, literalUsesIn, sourceFiles } from './literal-uses.ts';

/** The files that may list names of the closed lists, and why a new name is handled there. */
const allowed = new Map([
  ['packages/model/src/package-family.ts', 'it has the lists'],
  ['packages/model/src/version-scheme.ts', 'it has the list'],
  ['packages/advisories/src/upgrade/package-manager.ts', 'the rpm family alone has several managers'],
]);

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
