/** Sections of a report by name. */
export type CaseSections = Readonly<Record<string, string>>;

const hourAgo = (): number => Math.floor(Date.now() / 1000) - 3_600;

/** A report as the collector prints it, of a host that differs from an ordinary one in some sections. */
export function caseReport(family: 'apt' | 'rpm', sections: CaseSections): string {
  const all = { ...ordinary(), ...(family === 'apt' ? apt : rpm), ...sections };
  const body = Object.entries(all).flatMap(([name, text]) => [
    `@${name}`,
    ...(text === '' ? [] : text.split('\n').map((line) => ` ${line}`)),
    `@exit ${name === 'updates' && text.split('\n').length > 1 && !text.includes('|') ? 100 : 0}`,
  ]);
  const lines = [`plimsoll-report 1 ${family} 0.3.0`, ...body];
  return `${lines.join('\n')}\n@end ${Object.keys(all).length} ${lines.length}\n`;
}

const ordinary = (): CaseSections => ({
  observed: `collected_at\t${hourAgo() + 3_600}\nbooted_at\t${hourAgo() - 80_000}\nboot_id\tb`,
  'os-release': '',
  platform: 'architecture\tamd64\nhostname\th\nmachine_id\t\nvirtualization\tnone',
  kernel: '',
  reboot: 'flag\tno',
});

const apt: CaseSections = {
  dpkg: '',
  'apt-upgrade': '0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.',
  'apt-candidates': '',
  'apt-sources': '',
};

const rpm: CaseSections = {
  reboot: 'flag\tno\nneeds-restarting\t0\nsays\tReboot should not be necessary.',
  rpm: '',
  modules: '',
  updates: 'tool\tdnf',
  locks: '',
  advisories: 'tool\tdnf',
  repositories:
    'tool\tdnf\nRepo-id : baseos\nRepo-status : enabled\nRepo-baseurl : https://repo.example/9/BaseOS/',
};

/** One line of the section `rpm`. */
export function rpmLine(name: string, version: string, vendor = 'AlmaLinux', key = 'd36cb86c') {
  const source = `${name.replace(/^kernel-.*/, 'kernel')}-${version}.src.rpm`;
  const signature = key === '' ? '(none)' : `RSA/SHA256, Mon 01 Jan 2024, Key ID ${key}`;
  const built = `(none)\t${version.replace('-', '\t')}\tx86_64\t${source}`;
  return `${name}\t${built}\t${vendor}\t(none)\t1700000000\t${signature}`;
}

/** The section `os-release`, by its fields. */
export function osRelease(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .reduce((text, [name, value]) => `${text}${name}="${value}"\n`, '')
    .trimEnd();
}

export const bookworm = osRelease({ ID: 'debian', VERSION_ID: '12', VERSION_CODENAME: 'bookworm' });
export const alma9 = osRelease({ ID: 'almalinux', ID_LIKE: 'rhel centos fedora', VERSION_ID: '9.5' });

/**
 * The sections of apt for packages, from a list with the given release line. A package is `name version`, then the other version
 * that the list has, if any; a version in brackets is not in the list.
 */
export function aptLists(packages: readonly string[], release: string): CaseSections {
  const list = 'http://repo.example/debian bookworm/main amd64 Packages';
  const told = packages.map((text) => {
    const [name = '', stated = '', higher = '', lower = ''] =
      /^(\S+) (\S+)(?: <(\S+))?(?: >(\S+))?$/.exec(text)?.slice(1) ?? [];
    const version = stated.replace(/^\[(.*)\]$/, '$1');
    const files = version === stated ? [list, '/var/lib/dpkg/status'] : ['/var/lib/dpkg/status'];
    const entry = (mark: string, one: string, from: readonly string[]) =>
      one === '' ? [] : [`${mark} ${one} 500`, ...from.map((file) => `        500 ${file}`)];
    const table = [
      ...entry('    ', higher, [list]),
      ...entry(' ***', version, files),
      ...entry('    ', lower, [list]),
    ];
    const head = [
      `${name}:`,
      `  Installed: ${version}`,
      `  Candidate: ${higher || version}`,
      '  Version table:',
    ];
    return {
      dpkg: `ii \t${name}\tamd64\t${version}\t${name}\t${version}`,
      policy: [...head, ...table].join('\n'),
    };
  });
  return {
    dpkg: told.map(({ dpkg }) => dpkg).join('\n'),
    'apt-files': `Package files:\n 100 /var/lib/dpkg/status\n     release a=now\n 500 ${list}\n     release ${release}\n     origin repo.example\nPinned packages:`,
    'apt-policy': told.map(({ policy }) => policy).join('\n'),
    'apt-sources': 'deb http://repo.example/debian bookworm main',
  };
}
