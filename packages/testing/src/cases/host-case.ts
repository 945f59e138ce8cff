import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A report of one host and what a service must answer about it: docs/accuracy.md, "Cases". */
export interface HostCase {
  readonly name: string;
  readonly report: string;
  /** Files of advisories that are imported before the report is sent. */
  readonly advisories: readonly CaseAdvisories[];
  /** What is right, for a person to judge. */
  readonly prose: string;
  /** Status of the answer to the upload. */
  readonly upload: number;
  /** Expected part of each answer's body by path below `/hosts/{id}`; empty if there is only prose. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A file in a case's folder, in a format that `POST /feeds/import` names. */
export interface CaseAdvisories {
  readonly file: string;
  readonly format: string;
}

/** The cases in a folder, by name: each is a folder with `report.txt` and `expected.json`. */
export function readCases(folder: string): readonly HostCase[] {
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, 'report.txt')))
    .sort()
    .map((name) => readCase(path.join(folder, name)));
}

function readCase(folder: string): HostCase {
  const name = path.basename(folder);
  const { advisories, expected, upload, answers } = JSON.parse(
    readFileSync(path.join(folder, 'expected.json'), 'utf8'),
  ) as Record<string, unknown>; // Its fields are checked below.
  const asked = Object.entries((answers ?? {}) as object); // Of a text, every character fails the check of paths.
  const wrongPath = asked
    .map(([request]) => request)
    .find((request) => !request.startsWith('GET /hosts/{id}'));
  if (wrongPath !== undefined) throw new Error(`${name}: "${wrongPath}" is not GET /hosts/{id}…`);
  const files = Array.isArray(advisories) ? (advisories as readonly CaseAdvisories[]) : [];
  return {
    name,
    report: readFileSync(path.join(folder, 'report.txt'), 'utf8'),
    advisories: files.map(({ file, format }) => ({ file: path.join(folder, path.basename(file)), format })),
    prose: typeof expected === 'string' ? expected : '',
    upload: typeof upload === 'number' ? upload : 200,
    answers: Object.fromEntries(
      asked.map(([request, part]) => [request.slice('GET /hosts/{id}'.length), part]),
    ),
  };
}
