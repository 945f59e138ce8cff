/** One rule broken on purpose: the only occurrence of a text in a file is replaced. */
export interface Mutation {
  /** The number of the case in docs/matching-cases.tsv, or the name of a rule that has none. */
  readonly rule: number | string;
  /** What the broken rule does. */
  readonly breaks: string;
  /** Below the project's folder. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Test files or folders of a rule without a number, below the project's folder; a numbered one has those of its case. */
  readonly tests?: readonly string[];
}

/** The outcome of one mutation: `killed` if a test of the rule fails. */
export type MutationOutcome = 'killed' | 'survived';

/** The file's text with the mutation; null: `from` is not in it exactly once, so the mutation is out of date. */
export function mutated(text: string, { from, to }: Pick<Mutation, 'from' | 'to'>): string | null {
  const parts = text.split(from);
  return from === '' || from === to || parts.length !== 2 ? null : parts.join(to);
}

const caseRow = /^(\d+)\t[^\t\n]+\t([^\t\n]+)$/gm;

/** The test files of each numbered case, below the project's folder, from the text of docs/matching-cases.tsv. */
export function testsOfCases(text: string): ReadonlyMap<number, readonly string[]> {
  return new Map(
    [...text.matchAll(caseRow)].map(([, number, files = '']) => [
      Number(number),
      files
        .trim()
        .split(', ')
        .map((file) => file.replace(/^([^/]+)\/(.*)$/, 'packages/$1/tests/$2.test.ts')),
    ]),
  );
}

/** The test files and folders that guard a mutated rule. Throws if it has none. */
export function testsOf(
  { rule, tests }: Mutation,
  cases: ReadonlyMap<number, readonly string[]>,
): readonly string[] {
  const files = (typeof rule === 'number' ? cases.get(rule) : tests) ?? [];
  if (files.length === 0) throw new Error(`rule ${rule} has no tests`);
  return files;
}
