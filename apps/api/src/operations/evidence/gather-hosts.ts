import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvLines } from '@plimsoll/contract';
import type { EvidencePeriod } from '@plimsoll/db';
import { AppError, type HostScope } from '@plimsoll/model';
import type { EvidenceFile } from '@plimsoll/secrets';
import type { ApiStores } from '../../stores.ts';
import type { EvidenceArchive } from './evidence-archive.ts';
import { postureAt } from './evidence-posture.ts';
import { type EvidenceFinding, type EvidenceHost, evidenceFinding, evidenceHost } from './evidence-record.ts';
import type { EvidenceSubject } from './evidence-subject.ts';
import { FindingFiles } from './finding-files.ts';
import { hostCells, hostColumns } from './host-table.ts';
import { HostTally } from './host-tally.ts';
import { KeptText } from './kept-text.ts';
import { printedHosts } from './printable-page.ts';

/** Hosts that are read together: they have most advisories in common. */
const hostsAtOnce = 10;

/** The hosts of a pack with their numbers. The files with hosts.csv and all findings are in the archive already. */
export interface GatheredHosts {
  readonly tally: HostTally;
  /** The first hosts. */
  readonly printed: readonly EvidenceHost[];
  /** All hosts as elements of a JSON array. */
  readonly json: KeptText;
  readonly files: readonly EvidenceFile[];
  /** Hosts that were left out because they had been retired before the period. */
  readonly retiredEarlier: number;
  /** The first findings that missed their due date, and the first others. */
  readonly missed: readonly EvidenceFinding[];
  readonly others: readonly EvidenceFinding[];
  readonly missedCount: number;
  readonly othersCount: number;
}

interface Gathering {
  readonly scope: HostScope;
  readonly archive: EvidenceArchive;
  readonly signal: AbortSignal;
  readonly hasPolicy: boolean;
  /** Whether CISA's catalog of exploited CVEs was ever synced. */
  readonly isKevKnown: boolean;
}

/** Reads hosts a few at a time and writes their findings meanwhile. What stays in memory is compressed, or bounded. */
export async function gatherHosts(
  stores: Pick<ApiStores, 'evidence' | 'history' | 'hosts'>,
  subject: EvidenceSubject,
  period: EvidencePeriod,
  of: Gathering,
): Promise<GatheredHosts> {
  const { archive, signal } = of;
  const findings = new FindingFiles(archive);
  const table = new KeptText();
  table.add(`\uFEFF${csvLines([hostColumns])}`);
  const tally = new HostTally(period);
  const json = new KeptText();
  const printed: EvidenceHost[] = [];
  let retiredEarlier = 0;
  for (let n = 0; n < subject.hosts.length; n += hostsAtOnce) {
    for (const one of await readHosts(stores, subject, period, { ...of, first: n })) {
      if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
      if (one === 'retired_earlier') {
        retiredEarlier += 1;
        continue;
      }
      await findings.add(one.findings);
      const { host } = one;
      json.add(`${tally.hosts === 0 ? '' : ','}\n    ${JSON.stringify(host)}`);
      table.add(csvLines([hostCells(host)]));
      tally.add(host);
      if (printed.length < printedHosts) printed.push(host);
      await nextTurn();
    }
  }
  await findings.end();
  const hosts = await archive.add('hosts.csv', table.read());
  const { missed, others, missedCount, count, files } = findings;
  const counts = { missedCount, othersCount: count - missedCount };
  return { tally, printed, json, files: [...files, hosts], retiredEarlier, missed, others, ...counts };
}

interface ReadHost {
  readonly host: EvidenceHost;
  readonly findings: readonly EvidenceFinding[];
}

/** Some hosts of a subject; without those that were deleted, or left the scope, since their ids were read. */
async function readHosts(
  stores: Pick<ApiStores, 'evidence' | 'history' | 'hosts'>,
  { hosts, cve, skipsRetired }: EvidenceSubject,
  period: EvidencePeriod,
  { scope, hasPolicy, isKevKnown, first }: Gathering & { readonly first: number },
): Promise<readonly (ReadHost | 'retired_earlier')[]> {
  const ids = hosts.slice(first, first + hostsAtOnce);
  const found = (await Promise.all(ids.map((id) => stores.hosts.find(scope, id)))).filter(
    (host) => host !== null,
  );
  const isEarlier = ({ retiredAt }: { readonly retiredAt: Date | null }) =>
    skipsRetired && retiredAt !== null && retiredAt < period.from;
  const evidence = await stores.evidence.ofHosts(
    found.filter((host) => !isEarlier(host)).map(({ id }) => id),
    period,
    cve,
  );
  const read: (ReadHost | 'retired_earlier')[] = [];
  for (const host of found) {
    const own = evidence.get(host.id);
    if (isEarlier(host)) read.push('retired_earlier');
    else if (own !== undefined) {
      const [start, end] = await Promise.all([
        postureAt(stores.history, host, period.from, period),
        postureAt(stores.history, host, period.to, period),
      ]);
      read.push({
        host: evidenceHost(host, own, { start, end }, { period, hasPolicy }),
        findings: own.exposures.map((one) => evidenceFinding(one, host, { ...period, isKevKnown })),
      });
    }
  }
  return read;
}
