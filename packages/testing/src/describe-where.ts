const notAProgram = 'circumstances: ';

/**
 * A requirement that no package provides, such as root or name spaces: any machine, including CI's, may lack
 * it.
 */
export function circumstance(text: string): string {
  return notAProgram + text;
}

/**
 * Declares a group of tests with requirements on the machine. If one is missing, the group does not run: a single test
 * reports that and passes, or fails for a missing program if `TESTS_NEED_ALL=1` requires all of them (CI).
 */
export function describeWhere(missing: readonly string[], name: string, group: () => void): void {
  if (missing.length === 0) {
    describe(name, group);
    return;
  }
  it(`does not test here: ${name}`, () => {
    process.stderr.write(`NOT TESTED: ${name}. This machine lacks ${missing.join(', ')}.\n`);
    const programs = missing.filter((text) => !text.startsWith(notAProgram));
    if (process.env['TESTS_NEED_ALL'] === '1') expect(programs).toEqual([]);
  });
}
