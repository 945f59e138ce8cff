import { readReportObservation, reportContentHash } from '@plimsoll/reports';
import { observedRepositories, oldestListAt } from './observed-repositories.ts';
import type { UploadFacts } from './store-upload.ts';

/** The part of a text report that is read before the report is stored. */
export interface ReportFacts extends UploadFacts {
  readonly payloadKind: 'report';
  /** False if its beginning is invalid: it is stored so that the worker rejects it, and never counts as unchanged. */
  readonly isReadable: boolean;
}

/** Reads only the beginning of a text report. Only the report-worker reads the rest. */
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
