/** Declares a group of tests that need something of the machine. Where that is missing, one test says so plainly. */
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
