/**
 * Writes examples/debian-advisories.jsonl.gz, the advisories that affect the host of examples/debian-12.snapshot.pb.gz:
 * `node tools/run.mjs examples/make-advisories.ts OSV_FOLDER ERRATA`, in the project folder.
 *
 * - OSV_FOLDER holds the unpacked `Debian/all.zip` of the public OSV export;
 * - ERRATA is a text of JSON lines `{ id, date, cves, fixes: [{ suite, source, fixed }] }`, one per DSA or DLA.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decodeSnapshot } from '@plimsoll/reports';
import { compareKeys, versionKey } from '@plimsoll/versions';

interface OsvEntry {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly ranges?: readonly { readonly events: readonly { readonly fixed?: string }[] }[];
}

interface OsvRecord {
  readonly id: string;
  readonly affected?: readonly OsvEntry[];
}

interface Erratum {
  readonly id: string;
  readonly date: string;
  readonly cves: readonly string[];
  readonly fixes: readonly { readonly suite: string; readonly source: string; readonly fixed: string }[];
}

const output = 'examples/debian-advisories.jsonl.gz';
const ecosystem = 'Debian:12';
const suite = 'bookworm';
const [, , osvFolder, errataFile] = process.argv;
if (osvFolder === undefined || errataFile === undefined) {
  throw new Error('usage: node tools/run.mjs examples/make-advisories.ts OSV_FOLDER ERRATA');
}

const installed = readSources();
const records = [...readVulnerabilities(osvFolder), ...readErrata(errataFile)];
records.sort((a, b) => (a.id < b.id ? -1 : 1));
const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
writeFileSync(output, gzipSync(text, { level: 9 }));
process.stdout.write(`${output}: ${records.length} records\n`);

/** The host's source packages with their versions. */
function readSources(): ReadonlyMap<string, string> {
  const payload = gunzipSync(readFileSync('examples/debian-12.snapshot.pb.gz'));
  const decoded = decodeSnapshot(payload, { receivedAt: new Date() });
  if (decoded.kind !== 'snapshot') throw new Error(`the example snapshot is refused: ${decoded.kind}`);
  return new Map(decoded.snapshot.packages.map((found) => [found.sourceName, found.sourceVersion]));
}

function isOpen(source: string, fixed: string | undefined): boolean {
  const version = installed.get(source);
  return version !== undefined && (fixed === undefined || isBelow(version, fixed));
}

function isBelow(version: string, fixed: string): boolean {
  const [left, right] = [versionKey('dpkg', version), versionKey('dpkg', fixed)];
  if (left.kind !== 'key' || right.kind !== 'key') throw new Error(`${version} or ${fixed} cannot be parsed`);
  return compareKeys(left.key, right.key) < 0;
}

/** Exported records without unused parts: lists of versions, web links, other releases. */
function readVulnerabilities(folder: string): OsvRecord[] {
  return readdirSync(folder).flatMap((name): OsvRecord[] => {
    // The export's own shape; other fields of a record are copied unchanged.
    const record = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as OsvRecord;
    // The machine's kernel is not Debian's: nothing of the kernel's source is installed but headers.
    const affected = (record.affected ?? []).filter(
      (entry) =>
        entry.package.ecosystem === ecosystem &&
        entry.package.name !== 'linux' &&
        isOpen(entry.package.name, fixedIn(entry)),
    );
    if (affected.length === 0) return [];
    const slim = affected.map((entry) => ({ ...entry, versions: undefined, database_specific: undefined }));
    return [{ ...record, affected: slim, references: undefined, related: undefined } as OsvRecord]; // fewer fields
  });
}

function fixedIn(entry: OsvEntry): string | undefined {
  return entry.ranges?.flatMap(({ events }) => events).find(({ fixed }) => fixed !== undefined)?.fixed;
}

/** Errata of after the export, in the shape in which it has its errata. */
function readErrata(file: string): OsvRecord[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line): OsvRecord[] => {
    const erratum = JSON.parse(line) as Erratum; // see the head of this file
    const fixes = erratum.fixes.filter((fix) => fix.suite === suite && isOpen(fix.source, fix.fixed));
    if (fixes.length === 0) return [];
    return [
      {
        schema_version: '1.6.0',
        id: erratum.id,
        modified: `${erratum.date}T00:00:00Z`,
        published: `${erratum.date}T00:00:00Z`,
        related: erratum.cves,
        summary: `${fixes[0]?.source} - security update`,
        affected: fixes.map(({ source, fixed }) => ({
          package: { ecosystem, name: source, purl: `pkg:deb/debian/${source}?arch=source` },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
        })),
      } as OsvRecord, // with more fields than are read here
    ];
  });
}
