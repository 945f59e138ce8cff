const notAProgram = 'circumstances: ';

/** What no package brings, such as root or name spaces: tests may lack it on any machine, CI's included. */
export function circumstance(text: string): string {
  return notAProgram + text;
}

/**
 * Declares a group of tests that need something of the machine. Where that is missing, the group does not run: one test
 * says so, which passes, but fails for a missing program where `TESTS_NEED_ALL=1` says that all are installed (CI).
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
