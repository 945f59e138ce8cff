import { matchedVerdict, type UpgradableRow, type Verdict } from '@plimsoll/advisories';
import type { InstalledPackage, Operations, UpgradablePackage } from '@plimsoll/contract';
import type { InstalledVersion } from '@plimsoll/db';
import { findHost } from '../hosts/find-host.ts';
import { gapsHeader } from '../hosts/gaps-header.ts';
import type { Handler } from '../http/operation-request.ts';
import { loadAssessment } from './load-assessment.ts';

/** GET /hosts/{id}/packages */
export const listPackages: Handler<Operations['listPackages']> = async ({ params, query }, { stores }) => {
  const overview = await findHost(stores.hosts, params.id);
  const headers = gapsHeader(overview);
  const host = await stores.assessments.load(params.id);
  const wanted = query.q?.toLowerCase() ?? '';
  const packages = (host?.packages ?? []).filter(({ version: { name, sourceName } }) =>
    [name, sourceName].some((text) => text.toLowerCase().includes(wanted)),
  );
  return { kind: 'json', status: 200, headers, body: packages.map(packageAnswer) };
};

/** GET /hosts/{id}/packages/upgradable */
export const listUpgradablePackages: Handler<Operations['listUpgradablePackages']> = async (
  { params, query },
  { stores },
) => {
  const overview = await findHost(stores.hosts, params.id);
  const headers = gapsHeader(overview);
  const assessed = await loadAssessment(stores.assessments, params.id);
  const { upgradable = [], downgrades = [] } = assessed?.assessment ?? {};
  const rows = (query.downgrades === true ? downgrades : upgradable).filter(
    ({ isSecurity }) => query.security === undefined || isSecurity === query.security,
  );
  return { kind: 'json', status: 200, headers, body: rows.map(upgradableAnswer) };
};

function packageAnswer({ version, held, statements }: InstalledVersion): InstalledPackage {
  const stored = version.verdict as Verdict; // classifyVersion of @plimsoll/posture alone writes it
  const verdict = matchedVerdict({ verdict: stored, statements });
  return {
    name: version.name,
    architecture: version.architecture,
    version: version.version,
    source_name: version.sourceName,
    source_version: version.sourceVersion,
    vendor: version.vendor,
    module: version.module,
    suite: version.suite,
    held,
    verdict: verdict.kind,
    verdict_reason: verdict.kind === 'comparable' ? null : verdict.reason,
  };
}

function upgradableAnswer(row: UpgradableRow): UpgradablePackage {
  return {
    name: row.name,
    architecture: row.architecture,
    installed_version: row.installedVersion,
    candidate_version: row.candidateVersion,
    change: row.change,
    repository: row.repository,
    is_security: row.isSecurity,
    held: row.held,
    advisory_ids: [...row.advisoryIds],
    severity: row.severity,
  };
}
