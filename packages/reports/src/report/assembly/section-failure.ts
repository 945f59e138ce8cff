import type { SectionFailure } from '@plimsoll/model';
import { sectionFailure } from '../section-notes.ts';
import { type SectionName, sectionRules } from '../section-registry.ts';

/** A failure found only when sections are combined. */
export function failureIn(name: SectionName, detail: string): SectionFailure {
  return sectionFailure({ name, fact: sectionRules[name].fact }, detail);
}
