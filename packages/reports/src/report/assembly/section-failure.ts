import type { SectionFailure } from '@plimsoll/model';
import { sectionFailure } from '../section-notes.ts';
import { type SectionName, sectionRules } from '../section-registry.ts';

/** A failure of a section that shows only when sections are put together. */
export function failureIn(name: SectionName, detail: string): SectionFailure {
  return sectionFailure({ name, fact: sectionRules[name].fact }, detail);
}
