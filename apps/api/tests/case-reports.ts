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
export function rpmLine(name: string, version: string, vendor = 'AlmaLinux') {
  const built = `(none)\t${version.replace('-', '\t')}\tx86_64\t${name}-${version}.src.rpm`;
  return `${name}\t${built}\t${vendor}\t(none)\t1700000000\tRSA/SHA256, Mon 01 Jan 2024, Key ID d36cb86c`;
}

/** The section `os-release`, by its fields. */
export function osRelease(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return lines.join('\n');
}

export const bookworm = osRelease({ ID: 'debian', VERSION_ID: '12', VERSION_CODENAME: 'bookworm' });
export const alma9 = osRelease({ ID: 'almalinux', ID_LIKE: 'rhel centos fedora', VERSION_ID: '9.5' });

/** The sections of apt for a package of a list with the given release line, which has a higher version of it, too. */
export function aptLists(name: string, version: string, higher: string, release: string): CaseSections {
  const list = 'http://repo.example/debian bookworm/main amd64 Packages';
  return {
    dpkg: `ii \t${name}\tamd64\t${version}\t${name}\t${version}`,
    'apt-files': `Package files:\n 100 /var/lib/dpkg/status\n     release a=now\n 500 ${list}\n     release ${release}\n     origin repo.example\nPinned packages:`,
    'apt-policy': `${name}:\n  Installed: ${version}\n  Candidate: ${higher}\n  Version table:
     ${higher} 500\n        500 ${list}\n *** ${version} 500\n        500 ${list}\n        500 /var/lib/dpkg/status`,
    'apt-sources': 'deb http://repo.example/debian bookworm main',
  };
}
