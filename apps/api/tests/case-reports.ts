/** Sections of a report by name; a number instead of text is an exit status. */
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
export function rpmLine(
  name: string,
  version: string,
  vendor = 'AlmaLinux',
  key = 'd36cb86cb86b3716',
): string {
  const [upstream = '', release = ''] = version.split('-');
  const source = `${name.startsWith('kernel') ? 'kernel' : name}-${version}.src.rpm`;
  const signature = key === '' ? '(none)' : `RSA/SHA256, Mon 01 Jan 2024, Key ID ${key}`;
  return [
    name,
    '(none)',
    upstream,
    release,
    'x86_64',
    source,
    vendor,
    '(none)',
    '1700000000',
    signature,
  ].join('\t');
}

/** The section `os-release`, by its fields. */
export function osRelease(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join('\n');
}

export const bookworm = osRelease({
  ID: 'debian',
  VERSION_ID: '12',
  VERSION_CODENAME: 'bookworm',
  NAME: 'Debian',
});
export const alma9 = osRelease({ ID: 'almalinux', ID_LIKE: 'rhel centos fedora', VERSION_ID: '9.5' });

/** The sections of apt for packages with their policies, from lists with the given release lines. */
export function aptLists(
  packages: readonly {
    readonly name: string;
    readonly installed: string;
    readonly lists: readonly string[];
    readonly newer?: string;
    readonly older?: string;
  }[],
  release: string,
): CaseSections {
  const list = 'http://repo.example/debian bookworm/main amd64 Packages';
  const table = (version: string, isInstalled: boolean, files: readonly string[]) => [
    `${isInstalled ? ' ***' : '    '} ${version} 500`,
    ...files.map((file) => `        500 ${file === 'list' ? list : '/var/lib/dpkg/status'}`),
  ];
  return {
    dpkg: packages
      .map(({ name, installed }) => `ii \t${name}\tamd64\t${installed}\t${name}\t${installed}`)
      .join('\n'),
    'apt-files': `Package files:\n 100 /var/lib/dpkg/status\n     release a=now\n 500 ${list}\n     release ${release}\n     origin repo.example\nPinned packages:`,
    'apt-policy': packages
      .flatMap(({ name, installed, lists, newer, older }) => [
        `${name}:`,
        `  Installed: ${installed}`,
        `  Candidate: ${newer ?? installed}`,
        '  Version table:',
        ...(newer === undefined ? [] : table(newer, false, ['list'])),
        ...table(installed, true, lists),
        ...(older === undefined ? [] : table(older, false, ['list'])),
      ])
      .join('\n'),
    'apt-sources': 'deb http://repo.example/debian bookworm main',
  };
}
