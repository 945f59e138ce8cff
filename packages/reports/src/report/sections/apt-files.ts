import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';

/** A package list that apt knows, with the data of its Release file; empty if absent. */
export interface PackageFile {
  /** apt-cache's name: `http://deb.debian.org/debian bookworm/main amd64 Packages`. */
  readonly description: string;
  readonly origin: string;
  readonly label: string;
  /** `Suite`, apt's "archive": `oldstable-security`, `jammy-security`. */
  readonly archive: string;
  readonly codename: string;
  readonly version: string;
  /** The server. */
  readonly site: string;
}

/** The package files by their descriptions, without dpkg's status file. */
export type AptFilesFacts = ReadonlyMap<string, PackageFile>;

type OpenFile = { -readonly [Key in keyof PackageFile]: PackageFile[Key] };

const fileForm = /^ *-?\d+ (\S.*)$/;
const releasePrefix = '     release ';
const originPrefix = '     origin ';

/** Parses `apt-files`: apt-cache policy without arguments. */
export function parseAptFiles({ lines }: ReportSection, notes: SectionNotes): AptFilesFacts | null {
  if (!lines.some((line) => line === 'Package files:')) {
    notes.fail('its output is not that of apt-cache policy');
    return null;
  }
  const files = new Map<string, PackageFile>();
  let open: OpenFile | null = null;
  for (const line of lines) {
    if (line === 'Pinned packages:') break;
    if (open !== null && line.startsWith(releasePrefix)) {
      readRelease(line.slice(releasePrefix.length), open);
    } else if (open !== null && line.startsWith(originPrefix)) {
      open.site = line.slice(originPrefix.length).trim();
    } else {
      const description: string | undefined = fileForm.exec(line)?.[1];
      if (description === undefined) continue;
      open = { description, origin: '', label: '', archive: '', codename: '', version: '', site: '' };
      if (!isDpkgStatus(description)) files.set(description, open);
    }
  }
  return files;
}

/** Whether a package file is the list of installed packages instead of a repository's. */
export function isDpkgStatus(description: string): boolean {
  return description.startsWith('/') && description.endsWith('/status');
}

const releaseKeys: Readonly<Record<string, 'origin' | 'label' | 'archive' | 'codename' | 'version'>> = {
  o: 'origin',
  l: 'label',
  a: 'archive',
  n: 'codename',
  v: 'version',
};

/** `v=12,o=Debian,a=oldstable,n=bookworm,l=Debian,c=main,b=amd64`; values can contain commas. */
function readRelease(text: string, file: OpenFile): void {
  for (const part of text.split(/,(?=[voanlcb]=)/)) {
    const key = releaseKeys[part.slice(0, 1)];
    if (key !== undefined && part.charAt(1) === '=') file[key] = part.slice(2);
  }
}
