import type { FieldError, Observation, PackageFamily } from '@plimsoll/model';
import { readObservation } from '../snapshot/decode-repositories.ts';
import { readHeader, type SnapshotHeader } from '../snapshot/decode-snapshot.ts';
import { FieldReader, Problems } from '../snapshot/field-reader.ts';
import { observationFields } from './assembly/observation-fields.ts';
import { firstLineEnd, observedEnd } from './observed-extent.ts';
import { Places } from './places.ts';
import { readReportBeginning } from './report-frame.ts';
import { reportBytes, reportText } from './report-text.ts';
import { sectionNotes } from './section-notes.ts';
import { parseObserved } from './sections/observed.ts';

/** A report's header and observations, or why they are refused. */
export type ReportObservation =
  | {
      readonly kind: 'observed';
      readonly family: PackageFamily;
      readonly header: SnapshotHeader;
      readonly observation: Observation;
    }
  | { readonly kind: 'report_invalid'; readonly errors: readonly FieldError[] };

/**
 * Parses only the first line and the `observed` section of a report, for a report that is otherwise unchanged or
 * parsed later. Follows the rules of `parseReport`; without that section nothing was observed.
 */
export function readReportObservation(
  report: Uint8Array | string,
  context: { readonly receivedAt: Date },
): ReportObservation {
  const bytes = reportBytes(report);
  const problems = new Problems();
  const beginning = bytes.subarray(0, observedEnd(bytes) ?? firstLineEnd(bytes));
  const frame = readReportBeginning(reportText(beginning), problems);
  if (frame === null) return { kind: 'report_invalid', errors: problems.errors };
  const section = frame.sections.get('observed');
  const notes = sectionNotes({ name: 'observed', fact: 'observed' }, problems, []);
  const facts = section === undefined || section.exit !== 0 ? null : parseObserved(section, notes);
  const fields = observationFields(frame.header, facts);
  const fieldProblems = new Problems();
  const reader = new FieldReader(fieldProblems);
  const header = readHeader(fields, context.receivedAt, reader);
  const observation = readObservation(fields.observed, reader);
  if (fieldProblems.errors.length > 0) {
    const places = new Places();
    places.field('/collected_at', facts?.collectedAtLine ?? 1);
    return { kind: 'report_invalid', errors: fieldProblems.errors.map((error) => places.locate(error)) };
  }
  return { kind: 'observed', family: frame.header.family, header, observation };
}
