import type { ExplainedPackage } from '@plimsoll/advisories';
import type { Explanation } from '@plimsoll/contract';
import { type LoadedExplanation, loadExplanation } from '@plimsoll/db';
import { gapsOfBits } from '@plimsoll/model';
import { findHost, gapsHeader } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import { waiverField } from './finding-background.ts';

/** GET /hosts/{id}/packages/{name}/explain */
export const explainPackage: ReadHandler<'explainPackage'> = async (
  { params, query, caller },
  { stores },
) => {
  const host = await findHost(stores.hosts, caller.scope, params.id);
  const loaded = await loadExplanation(stores, {
    hostId: host.id,
    gaps: gapsOfBits(host.gaps),
    packageName: params.name,
    advisory: query.advisory,
  });
  return { kind: 'json', status: 200, headers: gapsHeader(host), body: explanationAnswer(loaded) };
};

function explanationAnswer({ explanation, advisories, feed }: LoadedExplanation): Explanation {
  return {
    verdict: explanation.verdict,
    reason: explanation.reason,
    gap: explanation.gap,
    detail: explanation.detail,
    release: explanation.release,
    comparator: explanation.comparator,
    feed: feed?.id ?? null,
    feed_updated_at: feed?.updatedAt?.toISOString() ?? null,
    advisories: advisories.map(({ externalId, feedId, title, url }) => ({
      id: externalId,
      feed: feedId,
      title,
      url,
    })),
    packages: explanation.packages.map(packageAnswer),
  };
}

function packageAnswer(explained: ExplainedPackage): Explanation['packages'][number] {
  return {
    name: explained.name,
    architecture: explained.architecture,
    installed_version: explained.installedVersion,
    source_name: explained.sourceName,
    source_version: explained.sourceVersion,
    match_name: explained.matchName,
    compared_version: explained.comparedVersion,
    reason: explained.reason,
    gap: explained.gap,
    detail: explained.detail,
    severity: explained.severity,
    fix_state: explained.fixState,
    fixed_version: explained.fixedVersion,
    ...waiverField(explained.waiver),
    statements: explained.statements.map((statement) => ({
      id: statement.externalId,
      judgement: statement.judgement,
      detail: statement.detail,
      severity: statement.severity,
      fixed_version: statement.fixedVersion,
    })),
  };
}
