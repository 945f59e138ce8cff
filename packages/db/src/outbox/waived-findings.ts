import { assessedPackage, HostWaivers, waivedIn } from '@plimsoll/advisories';
import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../core/transaction.ts';
import { appliesTo, HostTermsReader } from '../judging/counting/host-terms.ts';
import { namedOf } from '../judging/counting/waived-summaries.ts';
import { loadPackageVersions } from '../knowledge/package-versions.ts';
import { loadMatchedStatements } from '../knowledge/statements.ts';
import type { NoticeHost } from './notice.ts';

/** Which advisories are waived for which package versions of which hosts. */
export interface WaivedFindings {
  isWaived(host: Pick<NoticeHost, 'id' | 'tags'>, version: PackageVersionId, advisory: AdvisoryKey): boolean;
}

const nothing: WaivedFindings = { isWaived: () => false };

/** Reads what the waivers of now cover of some advisories for some package versions. */
export async function loadWaivedFindings(
  client: Statements,
  advisories: readonly AdvisoryKey[],
  versions: readonly PackageVersionId[],
): Promise<WaivedFindings> {
  if (versions.length === 0) return nothing;
  const waivers = await new HostTermsReader().readWaivers(client);
  const named = waivers.length === 0 ? new Map() : await namedOf(client, versions, waivers);
  if (named.size === 0) return nothing;
  const ids = [...named.keys()];
  const statements = await loadMatchedStatements(client, ids, advisories);
  const subjects = new Map(
    (await loadPackageVersions(client, ids)).map((version) => [
      version.id,
      assessedPackage(version, statements.get(version.id) ?? []),
    ]),
  );
  const known = new Map<string, ReadonlySet<AdvisoryKey>>();
  return {
    isWaived({ id, tags }, version, advisory) {
      const subject = subjects.get(version);
      if (subject === undefined) return false;
      const own = waivers.filter((waiver) => appliesTo(waiver, id, tags));
      if (own.length === 0) return false;
      const key = [version, ...own.map((waiver) => waiver.id)].join(' ');
      const waived =
        known.get(key) ??
        new Set([...waivedIn(subject, new HostWaivers(own)).keys()].map((statement) => statement.advisory));
      known.set(key, waived);
      return waived.has(advisory);
    },
  };
}
