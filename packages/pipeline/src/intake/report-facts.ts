import { readReportObservation, reportContentHash } from '@plimsoll/reports';
import { oldestListAt } from './lists-age.ts';
import { observedRepositories } from './observed-repositories.ts';
import type { UploadFacts } from './store-upload.ts';

/** A text report as far as it is read before it is stored. */
export interface ReportFacts extends UploadFacts {
  readonly payloadKind: 'report';
  /** False where its beginning breaks a rule: it is stored for the worker to say so, and must not pass as unchanged. */
  readonly isReadable: boolean;
}

/** Reads the beginning of a text report and nothing else. The rest is read by the report-worker alone. */
export function readReportFacts(report: Uint8Array, receivedAt: Date): ReportFacts {
  const facts = { payloadKind: 'report', contentHash: reportContentHash(report) } as const;
  const beginning = readReportObservation(report, { receivedAt });
  if (beginning.kind === 'report_invalid') {
    return {
      ...facts,
      bootedAt: null,
      listsAt: null,
      repositories: null,
      collectedAt: null,
      isReadable: false,
    };
  }
  const { header, observation } = beginning;
  return {
    ...facts,
    bootedAt: observation.bootedAt,
    listsAt: oldestListAt(observation),
    repositories: observedRepositories(observation),
    collectedAt: header.collectedAt,
    isReadable: true,
  };
}
