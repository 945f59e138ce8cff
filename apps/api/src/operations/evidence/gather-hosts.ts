import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvLines } from '@plimsoll/contract';
import type { EvidencePeriod, HostEvidence } from '@plimsoll/db';
import { AppError, type HostId } from '@plimsoll/model';
import { type FinishedFile, ZipFile } from '@plimsoll/secrets';
import type { ApiStores } from '../../stores.ts';
import { postureAt } from './evidence-posture.ts';
import {
  type EvidenceFinding,
  type EvidenceHost,
  evidenceFinding,
  evidenceHost,
  findingColumns,
} from './evidence-record.ts';
import type { EvidenceSubject } from './evidence-subject.ts';
import { printedFindings } from './printable-page.ts';

/** Most findings in a pack. */
const mostFindings = 200_000;
/** Hosts that are read together: they have most advisories in common. */
const hostsAtOnce = 10;

/** The hosts of a pack with their numbers, and the files with their findings. */
export interface GatheredHosts {
  readonly hosts: readonly EvidenceHost[];
  readonly files: readonly FinishedFile[];
  /** Hosts whose findings are left out. */
  readonly leftOut: number;
  /** The first findings that missed their due date, and the first others. */
  readonly missed: readonly EvidenceFinding[];
  readonly others: readonly EvidenceFinding[];
  readonly missedCount: number;
  readonly othersCount: number;
}

/** Reads hosts a few at a time; of the findings only the compressed files and those to print stay in memory. */
export async function gatherHosts(
  stores: Pick<ApiStores, 'evidence' | 'history'>,
  subject: EvidenceSubject,
  period: EvidencePeriod,
  signal: AbortSignal,
): Promise<GatheredHosts> {
  const writer = new FindingWriter();
  await writer.begin();
  const hosts: EvidenceHost[] = [];
  for (let n = 0; n < subject.hosts.length; n += hostsAtOnce) {
    const some = subject.hosts.slice(n, n + hostsAtOnce);
    const evidence = await readEvidence(stores, subject, some, period);
    for (const host of some) {
      if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
      const found = evidence.get(host.id);
      // Deleted since the list was read.
      if (found === undefined) continue;
      const [start, end] = await Promise.all([
        postureAt(stores.history, host, period.from, period),
        postureAt(stores.history, host, period.to, period),
      ]);
      const isKept = writer.count + found.exposures.length <= mostFindings;
      if (isKept) await writer.add(found.exposures.map((one) => evidenceFinding(one, host, period)));
      hosts.push(
        evidenceHost(host, found, { start, end }, { exposures: isKept ? found.exposures : null, period }),
      );
      await nextTurn();
    }
  }
  return {
    hosts,
    leftOut: hosts.filter(({ findings }) => findings === null).length,
    files: await writer.end(),
    missed: writer.missed,
    others: writer.others,
    missedCount: writer.missedCount,
    othersCount: writer.count - writer.missedCount,
  };
}

async function readEvidence(
  { evidence }: Pick<ApiStores, 'evidence'>,
  { read }: EvidenceSubject,
  hosts: readonly { readonly id: HostId }[],
  period: EvidencePeriod,
): Promise<ReadonlyMap<HostId, HostEvidence>> {
  return (
    read ??
    evidence.ofHosts(
      hosts.map(({ id }) => id),
      period,
    )
  );
}

/** Writes findings.csv and findings.json. */
class FindingWriter {
  readonly missed: EvidenceFinding[] = [];
  readonly others: EvidenceFinding[] = [];
  count = 0;
  missedCount = 0;
  readonly #csv = new ZipFile('findings.csv');
  readonly #json = new ZipFile('findings.json');

  async begin(): Promise<void> {
    await this.#csv.write(`\uFEFF${csvLines([findingColumns])}`);
    await this.#json.write('[');
  }

  async add(findings: readonly EvidenceFinding[]): Promise<void> {
    for (const one of findings) {
      await this.#json.write(`${this.count === 0 ? '\n' : ',\n'}${JSON.stringify(one)}`);
      this.count += 1;
      const isMissed = one.due_verdict === 'missed';
      if (isMissed) this.missedCount += 1;
      const printed = isMissed ? this.missed : this.others;
      if (printed.length < printedFindings) printed.push(one);
    }
    if (findings.length > 0)
      await this.#csv.write(csvLines(findings.map((one) => findingColumns.map((column) => one[column]))));
  }

  async end(): Promise<readonly FinishedFile[]> {
    await this.#json.write('\n]\n');
    return [await this.#csv.end(), await this.#json.end()];
  }
}
