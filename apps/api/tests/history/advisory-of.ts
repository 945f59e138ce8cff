import { type Advisory, anyBuild, type Release } from '@plimsoll/model';
import type { NaiveRecord, NaiveStatement } from './naive-model.ts';

/** A record as its feed's reader gives it to an import. */
export function advisoryOf(record: NaiveRecord): Advisory {
  return {
    externalId: record.id,
    kind: record.kind,
    title: record.title,
    url: `https://example.org/${record.id}`,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    modifiedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, record.edition)),
    withdrawnAt: record.withdrawn ? new Date('2026-02-01T00:00:00Z') : null,
    aliases: [],
    cves: record.cves,
    cvss: null,
    packages: record.statements.map(packageOf),
  };
}

function packageOf({
  release,
  name,
  fixed,
  reason,
  severity,
  cves,
}: NaiveStatement): Advisory['packages'][number] {
  return {
    release: release as Release,
    name,
    severity,
    severitySource: 'vendor',
    builds: anyBuild,
    ...(cves === null ? {} : { cves }),
    fix:
      fixed === null
        ? { kind: 'unfixed', reason, detail: reason === 'will_not_fix' ? 'no-dsa' : '' }
        : { kind: 'fixed', version: fixed, service: null },
  };
}
