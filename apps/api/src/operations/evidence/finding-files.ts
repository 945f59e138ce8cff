import { csvLines } from '@plimsoll/contract';
import type { EvidenceFile } from '@plimsoll/secrets';
import type { ArchiveFile, EvidenceArchive } from './evidence-archive.ts';
import { type EvidenceFinding, findingColumns } from './evidence-record.ts';
import { KeptText } from './kept-text.ts';
import { printedFindings } from './printable-page.ts';

/** Findings per pair of files: spreadsheets open about a million lines, and the table of a pair is in memory. */
const findingsPerFile = 500_000;

/** A pair of files that is being written. */
interface Part {
  readonly name: string;
  readonly json: ArchiveFile;
  readonly csv: KeptText;
  count: number;
}

/**
 * Writes the findings of a pack into its archive: findings.json and findings.csv, then findings-2.json and so on. The JSON
 * goes out while it is written; its table stays in memory, compressed, until the JSON ends.
 */
export class FindingFiles {
  /** The first findings that missed their due date, and the first others. */
  readonly missed: EvidenceFinding[] = [];
  readonly others: EvidenceFinding[] = [];
  readonly files: EvidenceFile[] = [];
  count = 0;
  missedCount = 0;
  readonly #archive: EvidenceArchive;
  readonly #perFile: number;
  #part: Part | null = null;
  #parts = 0;

  constructor(archive: EvidenceArchive, perFile = findingsPerFile) {
    this.#archive = archive;
    this.#perFile = perFile;
  }

  async add(findings: readonly EvidenceFinding[]): Promise<void> {
    for (let first = 0; first < findings.length; ) {
      const part = this.#part ?? (await this.#begin());
      const some = findings.slice(first, first + this.#perFile - part.count);
      first += some.length;
      for (const one of some) {
        await part.json.write(`${part.count === 0 ? '\n' : ',\n'}${JSON.stringify(one)}`);
        part.count += 1;
        this.#note(one);
      }
      part.csv.add(csvLines(some.map((one) => findingColumns.map((column) => one[column]))));
      if (part.count >= this.#perFile) await this.#end(part);
    }
  }

  /** Ends the last files; a pack without findings has an empty pair. */
  async end(): Promise<void> {
    const part = this.#part ?? (this.#parts === 0 ? await this.#begin() : null);
    if (part !== null) await this.#end(part);
  }

  async #begin(): Promise<Part> {
    this.#parts += 1;
    const name = this.#parts === 1 ? 'findings' : `findings-${this.#parts}`;
    const part = { name, json: this.#archive.begin(`${name}.json`), csv: new KeptText(), count: 0 };
    part.csv.add(`\uFEFF${csvLines([findingColumns])}`);
    await part.json.write('[');
    this.#part = part;
    return part;
  }

  async #end({ name, json, csv }: Part): Promise<void> {
    await json.write('\n]\n');
    this.files.push(await json.end(), await this.#archive.add(`${name}.csv`, csv.read()));
    this.#part = null;
  }

  #note(finding: EvidenceFinding): void {
    this.count += 1;
    const isMissed = finding.due_verdict === 'missed';
    if (isMissed) this.missedCount += 1;
    const printed = isMissed ? this.missed : this.others;
    if (printed.length < printedFindings) printed.push(finding);
  }
}
