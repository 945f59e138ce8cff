/**
 * Declares a group of tests that need something of the machine. Where that is missing, the group does not run: one test
 * says so, which passes, but fails where `TESTS_NEED_ALL=1` says that the machine has everything (CI).
 */
export function describeWhere(missing: readonly string[], name: string, group: () => void): void {
  if (missing.length === 0) {
    describe(name, group);
    return;
  }
  it(`does not test here: ${name}`, () => {
    process.stderr.write(`NOT TESTED: ${name}. This machine lacks ${missing.join(', ')}.\n`);
    if (process.env['TESTS_NEED_ALL'] === '1') expect(missing).toEqual([]);
  });
}
