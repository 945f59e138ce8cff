import { setImmediate as nextTurn } from 'node:timers/promises';
import { earliestOf, type Finding, findingsOf, selectFindings } from '@plimsoll/advisories';
import type { AffectedHost } from '@plimsoll/contract';
import type { HostPart, AffectedHost as StoredHost } from '@plimsoll/db';
import { JsonText } from '../../http/json-text.ts';
import { askedPage } from '../../http/page.ts';
import { waiverField } from '../packages/finding-background.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryNotFound } from './advisories.ts';
import { worstOf } from './advisory-answer.ts';
import { hostPlaceOf, hostPlaceSchema, listedHostAnswer, oncePerPart } from './listed-host.ts';

/** Hosts assessed before the process serves other requests. */
const hostsPerTurn = 20;

/** GET /advisories/{id}/hosts */
export const listAffectedHosts: ReadHandler<'listAffectedHosts'> = async (request, { stores }) => {
  const { params, query, signal, caller } = request;
  const path = `/api/v1/advisories/${encodeURIComponent(params.id)}/hosts`;
  const page = askedPage(request, path, hostPlaceSchema);
  const includeHidden = query.include_hidden ?? false;
  const found = await stores.advisoryViews.hostsOf(caller.scope, params.id, {
    includeHidden,
    limit: page.limit + 1,
    after: page.after,
  });
  if (found === null) throw advisoryNotFound();
  const { rows, headers } = page.of(found.hosts, found.total, hostPlaceOf);
  const json = await affectedHostTexts(rows, found.statementIds, includeHidden, signal);
  return { kind: 'text', status: 200, headers, json };
};

/** The JSON of affectedHostAnswers. Most hosts of a page have the same packages. */
async function affectedHostTexts(
  hosts: readonly StoredHost[],
  statementIds: ReadonlySet<number>,
  includeHidden: boolean,
  signal: AbortSignal,
): Promise<JsonText<AffectedHost[]>> {
  const packagesOf = oncePerPart((part) =>
    JsonText.of(packagesAffectedBy(part, statementIds, includeHidden)),
  );
  const texts = await eachHost(hosts, signal, ({ listed, part }) =>
    JsonText.with(listedHostAnswer(listed), 'packages', packagesOf(part)),
  );
  return JsonText.list(texts);
}

/** Hosts with the findings that the statements make; fewer if the client has disconnected. */
export async function affectedHostAnswers(
  hosts: readonly StoredHost[],
  statementIds: ReadonlySet<number>,
  includeHidden: boolean,
  signal: AbortSignal,
): Promise<AffectedHost[]> {
  const packagesOf = oncePerPart((part) => packagesAffectedBy(part, statementIds, includeHidden));
  return eachHost(hosts, signal, ({ listed, part }) => ({
    ...listedHostAnswer(listed),
    packages: packagesOf(part),
  }));
}

async function eachHost<Made>(
  hosts: readonly StoredHost[],
  signal: AbortSignal,
  make: (host: StoredHost) => Made,
): Promise<Made[]> {
  const all: Made[] = [];
  for (const [n, host] of hosts.entries()) {
    if (n % hostsPerTurn === hostsPerTurn - 1) await nextTurn();
    if (signal.aborted) break;
    all.push(make(host));
  }
  return all;
}

function packagesAffectedBy(
  part: HostPart | null,
  statementIds: ReadonlySet<number>,
  includeHidden: boolean,
): AffectedHost['packages'] {
  const selection = { includeUnfixed: true, includeHidden, includeWaived: true };
  return selectFindings(part === null ? [] : findingsOf(part), selection)
    .filter(({ advisories }) => advisories.some(({ statement }) => statementIds.has(statement.statementId)))
    .map(packageAnswer);
}

function packageAnswer(finding: Finding): AffectedHost['packages'][number] {
  const severities = finding.advisories.map(({ statement }) => statement.severity);
  return {
    name: finding.name,
    architecture: finding.architecture,
    installed_version: finding.installedVersion,
    source_name: finding.sourceName,
    source_version: finding.sourceVersion,
    severity: worstOf(severities) ?? finding.severity,
    fixed_version: finding.fixedVersion,
    fix_state: finding.fixState,
    candidate_version: finding.candidateVersion,
    advisory_ids: [...new Set(finding.advisories.map(({ statement }) => statement.externalId))].sort(),
    ...waiverField(earliestOf(finding.advisories.map(({ waiver }) => waiver))),
  };
}
