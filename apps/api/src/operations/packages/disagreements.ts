import type { Finding, Disagreement as Found } from '@plimsoll/advisories';
import type { Disagreement } from '@plimsoll/contract';
import { findHost, gapsHeader, loadAssessment } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /hosts/{id}/disagreements */
export const listDisagreements: ReadHandler<'listDisagreements'> = async ({ params, caller }, { stores }) => {
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const headers = gapsHeader(overview);
  const assessed = await loadAssessment(stores.assessments, params.id);
  const { disagreements = [], findings = [] } = assessed?.assessment ?? {};
  return {
    kind: 'json',
    status: 200,
    headers,
    body: disagreements.map((found) => disagreementAnswer(found, findings)),
  };
};

function disagreementAnswer(found: Found, findings: readonly Finding[]): Disagreement {
  const finding = findings.find(
    ({ name, architecture, installedVersion }) =>
      name === found.name &&
      architecture === found.architecture &&
      installedVersion === found.installedVersion,
  );
  const ids = finding?.advisories.map(({ statement }) => statement.externalId) ?? [];
  return {
    kind: found.kind,
    name: found.name,
    architecture: found.architecture,
    installed_version: found.installedVersion,
    candidate_version: found.candidateVersion,
    package_manager: {
      is_security: found.kind === 'security_update_without_finding',
      repository: found.repository,
      advisory_ids: [...found.namedAdvisories],
    },
    plimsoll: {
      reason: found.reason,
      severity: finding?.severity ?? null,
      fixed_version: finding?.fixedVersion ?? null,
      advisory_ids: [...new Set(ids)].sort(),
    },
  };
}
