import type { SectionFailure } from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import { cutText } from '../snapshot/cut-text.ts';
import type { Problems } from '../snapshot/field-reader.ts';
import { atLine } from './at-line.ts';
import type { FailedFact, SectionNotes } from './section-rule.ts';

/** A section by its name, with the facts that are unknown if it fails: see SectionRule. */
interface FailingSection {
  readonly name: string;
  readonly fact: FailedFact;
  readonly alsoUnknown?: FailedFact | undefined;
}

/** Notes about the section `name`: problems go to `problems`, failures to `failures` under the name of its facts. */
export function sectionNotes(
  section: FailingSection,
  problems: Problems,
  failures: SectionFailure[],
): SectionNotes {
  return {
    error: (line, detail) => problems.error(atLine(line), detail),
    warn: (line, detail) => problems.warn(atLine(line), detail),
    fail(detail) {
      failures.push(sectionFailure(section, detail));
      const { name, alsoUnknown: fact } = section;
      if (fact !== undefined) failures.push(sectionFailure({ name, fact }, detail));
    },
  };
}

/** A failure of a section: the unknown facts and the reason. */
export function sectionFailure(
  { name, fact }: Pick<FailingSection, 'name' | 'fact'>,
  detail: string,
): SectionFailure {
  return { section: fact, detail: cutText(`${name}: ${detail}`, textLimits.text) };
}
