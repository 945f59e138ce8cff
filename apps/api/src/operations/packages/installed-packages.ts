import { matchedVerdict, originEvidence, plainOrigin, type UpgradableRow } from '@plimsoll/advisories';
import type { InstalledPackageAnswer, UpgradablePackage } from '@plimsoll/contract';
import type { InstalledVersion } from '@plimsoll/db';
import type { BrokenPackage, BrokenState, Gap, PackageVersionId, Verdict } from '@plimsoll/model';
import { gapsOfBits } from '@plimsoll/model';
import { z } from 'zod';
import { inBatches } from '../../http/exchange.ts';
import { askedPage } from '../../http/page.ts';
import { findHost, gapsHeader, loadAssessment } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /hosts/{id}/packages */
export const listPackages: ReadHandler<'listPackages'> = async (request, { stores }) => {
  const { params, query, caller } = request;
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const gaps = gapsHeader(overview);
  const page = askedPage(request, `/api/v1/hosts/${params.id}/packages`, placeSchema);
  const { after } = page;
  const assessed = await loadAssessment(stores.assessments, params.id);
  if (assessed === null) {
    return { kind: 'json', status: 200, headers: { ...gaps, 'X-Total-Count': '0' }, body: [] };
  }
  const { host, assessment } = assessed;
  const wanted = query.q?.toLowerCase() ?? '';
  const packages = host.packages.filter(({ version: { name, sourceName } }) =>
    [name, sourceName].some((text) => text.toLowerCase().includes(wanted)),
  );
  const check = {
    judged: assessment.judged,
    isSpokenFor: isSpokenFor(gapsOfBits(overview.gaps)),
    kernel: assessment.kernelPosture.installedKernels.find(({ running }) => running)?.package ?? null,
    broken: new Map((host.facts.broken ?? []).map((one) => [JSON.stringify(placeIn(one)), one.state])),
  };
  const total = packages.length;
  if (query.limit === undefined && after === null) {
    const headers = { ...gaps, 'X-Total-Count': String(total) };
    return {
      kind: 'rows',
      status: 200,
      headers,
      rows: inBatches(packages, (one) => packageAnswer(one, check)),
    };
  }
  const rest = after === null ? packages : packages.filter((one) => isBehind(placeOf(one), after));
  const { rows, headers } = page.of(rest, total, placeOf);
  const body = rows.map((one) => packageAnswer(one, check));
  return { kind: 'json', status: 200, headers: { ...gaps, ...headers }, body };
};

/** The order of packages: name, architecture, version. */
const placeSchema = z.tuple([z.string(), z.string(), z.string()]);
type Place = z.output<typeof placeSchema>;

function placeOf({ version }: InstalledVersion): Place {
  return placeIn(version);
}

function placeIn({
  name,
  architecture,
  version,
}: Pick<BrokenPackage, 'name' | 'architecture' | 'version'>): Place {
  return [name, architecture, version];
}

function isBehind(place: Place, other: Place): boolean {
  const index = place.findIndex((part, n) => part !== other[n]);
  return index >= 0 && (place[index] ?? '') > (other[index] ?? '');
}

/** GET /hosts/{id}/packages/upgradable */
export const listUpgradablePackages: ReadHandler<'listUpgradablePackages'> = async (
  { params, query, caller },
  { stores },
) => {
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const headers = gapsHeader(overview);
  const assessed = await loadAssessment(stores.assessments, params.id);
  const { upgradable = [], downgrades = [] } = assessed?.assessment ?? {};
  const rows = (query.downgrades === true ? downgrades : upgradable).filter(
    ({ isSecurity }) => query.security === undefined || isSecurity === query.security,
  );
  return { kind: 'rows', status: 200, headers, rows: inBatches(rows, upgradableAnswer) };
};

/** The data for checking a host's packages. */
interface Check {
  /** The packages compared with advisories. */
  readonly judged: ReadonlySet<PackageVersionId>;
  /** Whether a feed with data covers the host's release. */
  readonly isSpokenFor: boolean;
  /** The package of the running kernel; null if not known. */
  readonly kernel: string | null;
  /** The states of packages whose installation did not end, by place. */
  readonly broken: ReadonlyMap<string, BrokenState>;
}

/** Gaps that leave every package of a host without advisories. */
const muteGaps = ['feed_never_synced', 'no_feed', 'no_report'] as const satisfies readonly Gap[];

function isSpokenFor(hostGaps: readonly Gap[]): boolean {
  return !muteGaps.some((gap) => hostGaps.includes(gap));
}

function packageAnswer(
  { version, held, statements }: InstalledVersion,
  { judged, isSpokenFor: isKnown, kernel, broken }: Check,
): InstalledPackageAnswer {
  const verdict = matchedVerdict({ verdict: version.verdict, statements });
  return {
    name: version.name,
    architecture: version.architecture,
    version: version.version,
    source_name: version.sourceName,
    source_version: version.sourceVersion,
    vendor: plainOrigin(version.vendor),
    origin_evidence: originEvidence(version),
    module: version.module,
    suite: version.suite,
    held,
    state: broken.get(JSON.stringify(placeIn(version))) ?? 'installed',
    verdict: verdict.kind,
    verdict_reason: verdict.kind === 'comparable' ? null : verdict.reason,
    checked: isKnown && verdict.kind === 'comparable' && judged.has(version.id),
    covered_by: isOfKernel(verdict) && !judged.has(version.id) ? kernel : null,
  };
}

/** Whether findings of the running kernel apply to a package that has no findings of its own. */
function isOfKernel(verdict: Verdict): boolean {
  if (verdict.kind === 'excluded') return verdict.reason !== 'not_a_package';
  return verdict.kernel !== null;
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
    phased: row.phased,
    advisory_ids: [...row.advisoryIds],
    severity: row.severity,
  };
}
