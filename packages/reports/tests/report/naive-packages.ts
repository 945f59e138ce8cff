/**
 * The installed packages in the lines of a report, read in the simplest way, for comparison with an accepted
 * report's snapshot.
 */
export function naivePackages(report: string): readonly string[] {
  const lines = report.replace(/^\ufeff/, '').split(/\r?\n/);
  const isApt = lines[0]?.split(' ')[2] === 'apt';
  const start = lines.indexOf(isApt ? '@dpkg' : '@rpm');
  const end = lines.findIndex((line, index) => index > start && /^@exit \d+$/.test(line));
  const rows = lines
    .slice(start + 1, end)
    .filter((line) => line.startsWith(' ') && line !== ' ')
    .map((line) => line.slice(1).split('\t'));
  const packages = isApt ? rows.flatMap(dpkgPackage) : rows.flatMap(rpmPackage);
  // Of two entries with equal name, architecture and version the first counts, even if their sources differ.
  const byIdentity = new Map(
    packages.toReversed().map((entry) => [JSON.stringify(entry.slice(0, 3)), entry]),
  );
  return [...byIdentity.values()].map((entry) => JSON.stringify(entry));
}

/** A package as `naivePackages` writes it. */
export function describePackage(
  name: string,
  architecture: string,
  version: string,
  source: string,
  sourceVersion: string,
): string {
  return JSON.stringify(packageOf(name, architecture, version, source, sourceVersion));
}

function packageOf(
  name: string,
  architecture: string,
  version: string,
  source: string,
  sourceVersion: string,
): readonly string[] {
  return [name, architecture, version, source || name, sourceVersion || version];
}

function dpkgPackage([
  status = '',
  name = '',
  architecture = '',
  version = '',
  source = '',
  sourceVersion = '',
]: readonly string[]) {
  return 'nc'.includes(status.slice(1, 2))
    ? []
    : [packageOf(name, architecture, version, source, sourceVersion)];
}

function rpmPackage(columns: readonly string[]): readonly (readonly string[])[] {
  const [name = '', epoch = '', version = '', release = '', architecture = '', sourceRpm = ''] = columns.map(
    (value) => (value === '(none)' ? '' : value),
  );
  if (name === 'gpg-pubkey') return [];
  const evr = [/^0*$/.test(epoch) ? '' : `${epoch}:`, version, release === '' ? '' : `-${release}`].join('');
  const [, source = '', sourceVersion = ''] = /^(.+)-([^-]*-[^-]*)\.(?:no)?src\.rpm$/.exec(sourceRpm) ?? [];
  return [packageOf(name, architecture, evr, source, sourceVersion)];
}
