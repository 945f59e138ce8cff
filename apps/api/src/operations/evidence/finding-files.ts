import { csvLines } from '@plimsoll/contract';
import { type EvidenceFile, ZipFile, type ZipWriter } from '@plimsoll/secrets';
import { type EvidenceFinding, findingColumns } from './evidence-record.ts';
import { printedFindings } from './printable-page.ts';

/** Findings per pair of files: spreadsheets open about a million lines, and the table of a pair is in memory. */
const findingsPerFile = 500_000;

/** A pair of files that is being written. */
interface Part {
  readonly json: ZipFile;
  readonly csv: ZipFile;
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
  readonly #archive: ZipWriter;
  readonly #perFile: number;
  #part: Part | null = null;
  #parts = 0;

  constructor(archive: ZipWriter, perFile = findingsPerFile) {
    this.#archive = archive;
    this.#perFile = perFile;
  }

  async *add(findings: readonly EvidenceFinding[]): AsyncGenerator<Uint8Array> {
    for (let first = 0; first < findings.length; ) {
      const part = this.#part ?? (yield* this.#begin());
      const some = findings.slice(first, first + this.#perFile - part.count);
      first += some.length;
      for (const one of some) {
        await part.json.write(`${part.count === 0 ? '\n' : ',\n'}${JSON.stringify(one)}`);
        part.count += 1;
        this.#note(one);
      }
      await part.csv.write(csvLines(some.map((one) => findingColumns.map((column) => one[column]))));
      yield* this.#archive.more(part.json.take());
      if (part.count >= this.#perFile) yield* this.#end(part);
    }
  }

  /** Ends the last files; a pack without findings has an empty pair. */
  async *end(): AsyncGenerator<Uint8Array> {
    const part = this.#part ?? (this.#parts === 0 ? yield* this.#begin() : null);
    if (part !== null) yield* this.#end(part);
  }

  async *#begin(): AsyncGenerator<Uint8Array, Part> {
    this.#parts += 1;
    const name = this.#parts === 1 ? 'findings' : `findings-${this.#parts}`;
    const part = { json: new ZipFile(`${name}.json`), csv: new ZipFile(`${name}.csv`), count: 0 };
    yield* this.#archive.begin(part.json.name);
    await part.csv.write(`\uFEFF${csvLines([findingColumns])}`);
    await part.json.write('[');
    this.#part = part;
    return part;
  }

  async *#end({ json, csv }: Part): AsyncGenerator<Uint8Array> {
    await json.write('\n]\n');
    const [ended, table] = [await json.end(), await csv.end()];
    yield* this.#archive.finish(ended);
    yield* this.#archive.add(table);
    this.files.push(ended.file, table.file);
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
