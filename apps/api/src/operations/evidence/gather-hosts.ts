import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvLines } from '@plimsoll/contract';
import type { EvidencePeriod, HostEvidence } from '@plimsoll/db';
import { AppError, type HostId } from '@plimsoll/model';
import { type FinishedFile, ZipFile, type ZipWriter } from '@plimsoll/secrets';
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
const mostFindings = 1_000_000;
/** Hosts that are read together: they have most advisories in common. */
const hostsAtOnce = 10;

/** The hosts of a pack with their numbers, and the files with their findings, of which findings.json is in the archive already. */
export interface GatheredHosts {
  readonly hosts: readonly EvidenceHost[];
  readonly json: FinishedFile;
  readonly csv: FinishedFile;
  /** Hosts whose findings are left out. */
  readonly leftOut: number;
  /** The first findings that missed their due date, and the first others. */
  readonly missed: readonly EvidenceFinding[];
  readonly others: readonly EvidenceFinding[];
  readonly missedCount: number;
  readonly othersCount: number;
}

/**
 * Reads hosts a few at a time and writes findings.json meanwhile; of the findings only the compressed table and those to
 * print stay in memory.
 */
export async function* gatherHosts(
  stores: Pick<ApiStores, 'evidence' | 'history'>,
  subject: EvidenceSubject,
  period: EvidencePeriod,
  of: { readonly archive: ZipWriter; readonly signal: AbortSignal; readonly hasPolicy: boolean },
): AsyncGenerator<Uint8Array, GatheredHosts> {
  const { archive, signal, hasPolicy } = of;
  const writer = new FindingWriter(archive);
  yield* archive.begin('findings.json');
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
      const exposures = isKept ? found.exposures : null;
      hosts.push(evidenceHost(host, found, { start, end }, { exposures, period, hasPolicy }));
      yield* writer.written();
      await nextTurn();
    }
  }
  const { json, csv } = await writer.end();
  yield* archive.finish(json);
  return {
    hosts,
    leftOut: hosts.filter(({ findings }) => findings === null).length,
    json,
    csv,
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
  readonly #archive: ZipWriter;

  constructor(archive: ZipWriter) {
    this.#archive = archive;
  }

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

  /** What of findings.json is compressed by now. */
  written(): Iterable<Uint8Array> {
    return this.#archive.more(this.#json.take());
  }

  async end(): Promise<{ readonly json: FinishedFile; readonly csv: FinishedFile }> {
    await this.#json.write('\n]\n');
    return { json: await this.#json.end(), csv: await this.#csv.end() };
  }
}
