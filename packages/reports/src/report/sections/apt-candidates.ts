import type { ReportSection } from '../report-section.ts';

/** The source package of an installable version. */
export interface CandidateSource {
  readonly name: string;
  readonly version: string;
}

/** Sources by `candidateKey`. */
export type AptCandidatesFacts = ReadonlyMap<string, CandidateSource>;

/** The lookup key of a version's source. */
export function candidateKey(name: string, architecture: string, version: string): string {
  return `${name} ${architecture} ${version}`;
}

const field = /^(Package|Version|Architecture|Source): *(\S.*)$/;
const sourceForm = /^(\S+)(?: \((\S+)\))?/;

/** Parses `apt-candidates`: stanzas of deb-control(5). Skips those without a package, version or architecture. */
export function parseAptCandidates({ lines }: ReportSection): AptCandidatesFacts {
  const sources = new Map<string, CandidateSource>();
  let stanza: Record<string, string> = {};
  for (const line of lines) {
    const [, key, value] = field.exec(line) ?? [];
    // A new package starts a stanza even without an empty line before it.
    if (line.trim() === '' || (key === 'Package' && stanza['Package'] !== undefined)) {
      take(stanza, sources);
      stanza = {};
    }
    if (key !== undefined && value !== undefined) stanza[key] = value.trimEnd();
  }
  take(stanza, sources);
  return sources;
}

function take(stanza: Readonly<Record<string, string>>, sources: Map<string, CandidateSource>): void {
  const { Package: name, Version: version, Architecture: architecture, Source: source } = stanza;
  if (name === undefined || version === undefined || architecture === undefined) return;
  const [, sourceName = name, sourceVersion = version] = sourceForm.exec(source ?? '') ?? [];
  sources.set(candidateKey(name, architecture, version), { name: sourceName, version: sourceVersion });
}
