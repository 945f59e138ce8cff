import { type Finding, type FindingAdvisory, selectFindings } from '@plimsoll/advisories';
import type { Operations } from '@plimsoll/contract';
import { inBatches } from '../../http/in-batches.ts';
import { findHost } from '../hosts/find-host.ts';
import { gapsHeader } from '../hosts/gaps-header.ts';
import type { ReadHandler } from '../read-operation.ts';
import { indexErrata } from './errata-index.ts';
import { loadFindingTimes } from './finding-times.ts';
import { assessmentAt, loadAssessment } from './load-assessment.ts';
import { loadPassedOver } from './passed-over.ts';
import { vulnerableAnswer } from './vulnerable-answer.ts';

/** GET /hosts/{id}/packages/vulnerable */
export const listVulnerablePackages: ReadHandler<Operations['listVulnerablePackages']> = async (
  { params, query },
  { stores },
) => {
  const overview = await findHost(stores.hosts, params.id);
  const assessed =
    query.at === undefined
      ? await loadAssessment(stores.assessments, params.id)
      : await assessmentAt(stores.history, params.id, query.at);
  if (assessed === null) return { kind: 'json', status: 200, headers: gapsHeader(overview), body: [] };
  const { host, assessment } = assessed;
  const includeUnfixed = query.include_unfixed ?? false;
  const findings = selectFindings(assessment.findings, {
    includeUnfixed,
    includeHidden: query.include_hidden ?? false,
  }).filter(({ severity }) => query.severity === undefined || severity === query.severity);
  const keys = findings.flatMap(({ advisories }) => advisories.map(({ statement }) => statement.advisory));
  const names = findings.map(({ evidence }) => evidence.matchName);
  const cves = findings.flatMap(({ advisories }) => advisories.flatMap(({ statement }) => statement.cves));
  const [details, errata, times, cveFacts, passedOver] = await Promise.all([
    stores.assessments.describe([...new Set(keys)]),
    stores.assessments.errataOf(host.release, [...new Set(names)]),
    loadFindingTimes(findings, host, stores.assessments),
    stores.cves.cveFacts(cves),
    loadPassedOver(findings, host, stores.explanations),
  ]);
  const background = { host, details, errata: indexErrata(errata), times, cveFacts, passedOver };
  return {
    kind: 'rows',
    status: 200,
    headers: gapsHeader(overview, ...(query.at === undefined ? [] : [host])),
    rows: inBatches(findings, (finding) =>
      vulnerableAnswer(finding, shownOf(finding, includeUnfixed), background),
    ),
  };
};

function shownOf({ advisories }: Finding, includeUnfixed: boolean): readonly FindingAdvisory[] {
  return advisories.filter(({ statement }) => includeUnfixed || statement.fix.kind === 'fixed');
}
