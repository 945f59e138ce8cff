/** Declares tests that need something of the machine. If it is missing, a single test reports that. */
export function describeWhere(missing: readonly string[], name: string, group: () => void): void {
  if (missing.length === 0) {
    describe(name, group);
    return;
  }
  it(`does not test here: ${name}`, () => {
    process.stderr.write(`NOT TESTED: ${name}. This machine lacks ${missing.join(', ')}.\n`);
    expect(missing).not.toHaveLength(0);
  });
}
