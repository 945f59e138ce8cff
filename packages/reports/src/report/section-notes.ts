import type { SectionFailure } from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import { cutText, type Problems } from '../snapshot/field-reader.ts';
import { atLine } from './at-line.ts';
import type { FailedFact, SectionNotes } from './section-rule.ts';

/** Notes about the section `name`: problems go to `problems`, failures to `failures` under the name of its facts. */
export function sectionNotes(
  section: { readonly name: string; readonly fact: FailedFact },
  problems: Problems,
  failures: SectionFailure[],
): SectionNotes {
  let hasLeftOut = false;
  return {
    warn: (line, detail) => problems.warn(atLine(line), detail),
    leaveOut(line, detail) {
      problems.warn(atLine(line), `${detail}; left out`);
      if (!hasLeftOut) failures.push(sectionFailure(section, leftOutWords(atLine(line), detail)));
      hasLeftOut = true;
    },
    fail: (detail) => failures.push(sectionFailure(section, detail)),
  };
}

/** What a list lacks, by its first faulty row. */
export function leftOutWords(pointer: string, detail: string): string {
  return `${pointer} ${detail}; rows like it were left out`;
}

/** A failure of a section: the unknown facts and the reason. */
export function sectionFailure(
  { name, fact }: { readonly name: string; readonly fact: FailedFact },
  detail: string,
): SectionFailure {
  return { section: fact, detail: cutText(`${name}: ${detail}`, textLimits.text) };
}

/** Whether a section is among failures, as a whole or in part. */
export function hasSectionFailed(failures: readonly SectionFailure[], name: string): boolean {
  return failures.some(({ detail }) => detail.startsWith(`${name}: `));
}
