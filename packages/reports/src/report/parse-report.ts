import type { FieldError, PackageFamily, Snapshot } from '@plimsoll/model';
import { reportLimits } from '../limits.ts';
import { sortedFailures } from '../snapshot/decode-repositories.ts';
import { overfullLists, readSnapshot } from '../snapshot/decode-snapshot.ts';
import { Problems } from '../snapshot/field-reader.ts';
import { osFamilyOf } from '../snapshot/os-family.ts';
import type { SnapshotFields } from '../snapshot/snapshot-fields.ts';
import { assembleSnapshot } from './assembly/assemble-snapshot.ts';
import { failureIn } from './assembly/section-failure.ts';
import { atLine } from './at-line.ts';
import type { Places } from './places.ts';
import { readSections } from './read-sections.ts';
import { type ReportFrame, readReportFrame } from './report-frame.ts';
import { reportBytes, reportText } from './report-text.ts';
import { leftOutWords } from './section-notes.ts';
import type { ReportFacts, SectionName } from './section-registry.ts';

/** The snapshot of a text report with warnings, or the errors that prevent one. */
export type ParsedReport =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly warnings: readonly FieldError[] }
  | { readonly kind: 'report_invalid'; readonly errors: readonly FieldError[] };

/**
 * Parses a collector's text report (docs/report-format.md). Accepts any bytes or text and never throws; linear time.
 *
 * `report_invalid`: the report is cut off, empty, a different file, parts of several reports, over the limits, without
 * packages, or has a collection time over 24 hours after `receivedAt`. Every pointer is a line, `line 12`; at most
 * `maxProblems` errors. A section that failed becomes a failure of the snapshot, and its facts are unknown; so does a
 * list of which rows had to be left out.
 *
 * The snapshot equals that of a structured upload of the same host.
 */
export function parseReport(
  report: Uint8Array | string,
  context: { readonly receivedAt: Date },
): ParsedReport {
  const bytes = reportBytes(report);
  if (bytes.length > reportLimits.bytes) {
    const detail = `the report is larger than ${reportLimits.bytes / 1024 / 1024} MiB`;
    return { kind: 'report_invalid', errors: [{ pointer: atLine(1), detail }] };
  }
  const problems = new Problems();
  const frame = readReportFrame(reportText(bytes), problems);
  if (frame === null) return invalid(problems);
  const sections = readSections(frame, problems);
  refuseOtherFamily(frame, sections.facts, problems);
  if (problems.errors.length > 0) return invalid(problems);
  const { fields, places } = assembleSnapshot(frame, sections);
  const fieldProblems = new Problems(true);
  for (const { pointer, detail } of overfullLists(countEntries(fields))) fieldProblems.error(pointer, detail);
  const snapshot =
    fieldProblems.errors.length > 0 ? null : readSnapshot(fields, context.receivedAt, fieldProblems);
  for (const { pointer, detail } of fieldProblems.errors.map((error) => places.locate(error))) {
    problems.error(pointer, detail);
  }
  // A broken package is noted as a package.
  const ownWarnings = fieldProblems.warnings.filter(({ pointer }) => !pointer.startsWith('/broken/'));
  for (const { pointer, detail } of ownWarnings.map((warning) => places.locate(warning))) {
    problems.warn(pointer, detail);
  }
  return snapshot === null || problems.errors.length > 0
    ? invalid(problems)
    : {
        kind: 'snapshot',
        snapshot: withIncompleteLists(snapshot, frame, fieldProblems, places),
        warnings: problems.warnings,
      };
}

/** The section of each list from which entries can be left out. */
const sectionsOfLists: Readonly<Record<string, Readonly<Record<PackageFamily, SectionName>>>> = {
  '/packages': { apt: 'dpkg', rpm: 'rpm' },
  '/upgradable': { apt: 'apt-upgrade', rpm: 'updates' },
};

function withIncompleteLists(
  snapshot: Snapshot,
  { header: { family } }: ReportFrame,
  { incomplete }: Problems,
  places: Places,
): Snapshot {
  if (incomplete.size === 0) return snapshot;
  const failures = [...incomplete].flatMap(([list, error]) => {
    const section = sectionsOfLists[list]?.[family];
    const { pointer, detail } = places.locate(error);
    return section === undefined ? [] : [failureIn(section, leftOutWords(pointer, detail))];
  });
  return { ...snapshot, failures: sortedFailures([...snapshot.failures, ...failures]) };
}

/** A distribution of the other family: the wrong collector ran, or two hosts' reports were combined. */
function refuseOtherFamily(
  { header }: ReportFrame,
  { 'os-release': os }: ReportFacts,
  problems: Problems,
): void {
  const id = os?.values.get('ID') ?? '';
  const family = osFamilyOf(id);
  if (family === 'unknown' || family === header.family) return;
  const detail = `${id} is a distribution of ${family}, but the report is one of ${header.family}`;
  problems.error(atLine(os?.lines.get('ID') ?? 1), detail);
}

function invalid({ errors }: Problems): ParsedReport {
  return { kind: 'report_invalid', errors };
}

function countEntries(fields: SnapshotFields): ReadonlyMap<string, number> {
  return new Map([
    ['/packages', fields.packages.length],
    ['/upgradable', fields.upgradable.length],
    [
      '/upgradable/advisory_ids',
      fields.upgradable.reduce((sum, { advisoryIds }) => sum + advisoryIds.length, 0),
    ],
    ['/platform/ip_addresses', fields.platform?.ipAddresses.length ?? 0],
    ['/kernel/installed', fields.kernel?.installed.length ?? 0],
    ['/kernel/reboot_packages', fields.kernel?.rebootPackages.length ?? 0],
    ['/kernel/reboot_answers', fields.kernel?.rebootAnswers.length ?? 0],
    ['/broken', fields.broken.length],
    ['/kernel/livepatched_cves', fields.kernel?.livepatchedCves.length ?? 0],
    ['/services/to_restart', fields.services?.toRestart.length ?? 0],
    ['/services/failed_units', fields.services?.failedUnits.length ?? 0],
    ['/repositories', fields.repositories.length],
    ['/module_streams', fields.moduleStreams.length],
    ['/subscription/services', fields.subscription?.services.length ?? 0],
    ['/failures', fields.failures.length],
    ['/observed/refreshed', fields.observed?.refreshed.length ?? 0],
  ]);
}
