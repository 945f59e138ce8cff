import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type DraftSection, draftReport, linesOf } from './report-draft.ts';

/** Whether a folder contains recorded output of apt and dpkg of one host, one file per command. */
export function isAptFolder(folder: string): boolean {
  return existsSync(path.join(folder, 'dpkg-query.tsv')) && existsSync(path.join(folder, 'os-release'));
}

/**
 * Builds the report of a host from recorded commands: `os-release`, `dpkg-query.tsv` (status, package, version,
 * architecture, source package, source version) and, if present, `arch.txt`, `debian_version.txt`, `uname-a.txt`,
 * `apt-cache-policy.txt` and `apt-get-s-dist-upgrade.txt`.
 */
export function reportOfAptFolder(folder: string): string {
  const lines = (file: string): readonly string[] | null => {
    const full = path.join(folder, file);
    return existsSync(full) ? linesOf(readFileSync(full, 'utf8')) : null;
  };
  const [architecture = ''] = lines('arch.txt') ?? [];
  const [debianVersion = ''] = lines('debian_version.txt') ?? [];
  const files = lines('apt-cache-policy.txt');
  const upgrade = lines('apt-get-s-dist-upgrade.txt');
  const sections: DraftSection[] = [
    { name: 'os-release', lines: lines('os-release') ?? [] },
    {
      name: 'platform',
      lines: [
        `architecture\t${architecture}`,
        `hostname\t${path.basename(folder)}`,
        `debian_version\t${debianVersion}`,
      ],
    },
    { name: 'kernel', lines: kernelLines(lines('uname-a.txt') ?? []) },
    { name: 'dpkg', lines: (lines('dpkg-query.tsv') ?? []).map(dpkgLine) },
  ];
  if (files !== null) sections.push({ name: 'apt-files', lines: files });
  if (upgrade !== null) sections.push({ name: 'apt-upgrade', lines: upgrade });
  return draftReport('apt', sections);
}

function dpkgLine(line: string): string {
  const [status, name, version, architecture, sourceName, sourceVersion] = line.split('\t');
  return [status, name, architecture, version, sourceName, sourceVersion].join('\t');
}

/** `uname -a`: system, host name, release, version in several words, architecture, `GNU/Linux`. */
function kernelLines([text = '']: readonly string[]): readonly string[] {
  const [, , release = '', ...rest] = text.split(' ');
  return [`release\t${release}`, `version\t${rest.slice(0, -2).join(' ')}`];
}
