import type { PackageFamily, PackageManager, Platform } from '@plimsoll/model';

type System = Pick<Platform, 'osId' | 'osVersionId' | 'imageVersion'>;

/** The first major version with dnf, by distribution. */
const firstWithDnf: Readonly<Record<string, number>> = { amzn: 2023, fedora: 22 };
const firstWithDnfElsewhere = 8;

const managerOf: Readonly<Record<PackageFamily, (system: System) => PackageManager>> = {
  apt: () => 'apt',
  rpm: ({ osId, osVersionId }) => {
    if (/^(?:sl|sle|suse|opensuse)-.*(?:micro|aeon|kalpa)/.test(osId)) return 'transactional-update';
    if (/^(?:opensuse|sles|sled|sle|suse)/.test(osId)) return 'zypper';
    if (/^(?:photon|mariner|azurelinux)$/.test(osId)) return 'tdnf';
    const major = Number.parseInt(osVersionId, 10);
    return major < (firstWithDnf[osId] ?? firstWithDnfElsewhere) ? 'yum' : 'dnf';
  },
};

/** Programs that take a whole system as an image; ordinary hosts have their packages to build such images. */
const imagePrograms = ['bootc', 'rpm-ostree'] as const;
/** Their images are replaced by the operator of a cluster. */
const clusterNodes = /^(?:rhcos|scos)$/;
/** Programs of rpm systems for which no commands are known here, by the packages that bring them. */
const otherPrograms = ['apt', 'urpmi', 'poldek'];
/** By the packages that bring them: the first that is installed works. */
const rpmPrograms: readonly (readonly [string, PackageManager])[] = [
  ['zypper', 'zypper'],
  ['dnf5', 'dnf'],
  ['dnf', 'dnf'],
  ['tdnf', 'tdnf'],
  ['yum', 'yum'],
];

/**
 * The program that upgrades a host; null if its family, or the commands of its program, are not known. By what is installed,
 * else by the system: a system that names the version of its image is one, and one with no other program.
 * @param installed names of installed packages, as far as they are known.
 */
export function packageManagerOf(
  platform: System & Pick<Platform, 'osFamily'>,
  installed: Iterable<string> = [],
): PackageManager | null {
  if (platform.osFamily === 'unknown' || clusterNodes.test(platform.osId)) return null;
  const usual = managerOf[platform.osFamily](platform);
  if (platform.osFamily === 'apt') return usual;
  const names = new Set(installed);
  const found = rpmPrograms.filter(([name]) => names.has(name)).map(([, program]) => program);
  // Fedora's own images are made for rpm-ostree, also where bootc is installed.
  const images = platform.osId === 'fedora' ? [...imagePrograms].reverse() : imagePrograms;
  const image = images.find((name) => names.has(name)) ?? images[0];
  if (platform.imageVersion !== undefined || (found.length === 0 && names.has(image))) return image;
  if (names.has('transactional-update')) return 'transactional-update';
  const isUnnamed = platform.osId === '' && names.size > 0;
  if (found.length === 0 && (isUnnamed || otherPrograms.some((name) => names.has(name)))) return null;
  return found.includes(usual) ? usual : (found[0] ?? usual);
}

/** Whether a system is one of openSUSE without releases, which only `dup` brings to its newest state. */
export function isRolling({ osId }: Pick<Platform, 'osId'>): boolean {
  return /^opensuse-(?:tumbleweed|slowroll|microos|aeon|kalpa)/.test(osId);
}

/**
 * Packages of an apt host that only a boot replaces: libraries of every process, and the system and hardware
 * base. The kernel is not included: whether it needs a boot depends on the running one.
 */
const aptCorePackages: ReadonlySet<string> = new Set([
  'amd64-microcode',
  'dbus',
  'dbus-daemon',
  'intel-microcode',
  'libc6',
  'systemd',
]);

/**
 * The same for an rpm host: the list of dnf's needs-restarting(1), with the names in releases up to 10, and SUSE's
 * similar list.
 */
const rpmCorePackages: ReadonlySet<string> = new Set([
  'dbus',
  'dbus-1',
  'dbus-broker',
  'dbus-daemon',
  'glibc',
  'linux-firmware',
  'microcode_ctl',
  'kernel-firmware-all',
  'openssl-libs',
  'systemd',
  'ucode-amd',
  'ucode-intel',
  'udev',
]);

/** A package to upgrade, with its target version. */
export interface CommandPackage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
}

/** Whether a command asks before it changes something; without questions it keeps changed configuration files. */
export type Asks = 'asks' | 'asks_nothing';

/** A package manager's commands and valid arguments. Commands are for a POSIX shell. */
export interface ManagerRules {
  /** Valid names and versions; a command must contain no other text. */
  readonly safeName: RegExp;
  readonly safeVersion: RegExp;
  /** Upgrades everything that is not held, and installs new dependencies; `isRolling`: see isRolling. */
  fullUpgrade(asks: Asks, isRolling: boolean): string;
  /** Its own selection of security updates; null if it has none. */
  readonly securityUpgrade: ((asks: Asks) => string) | null;
  /** Upgrades the named packages, and installs only new dependencies; null: no command changes single packages. */
  readonly upgradeOf: ((specs: string, asks: Asks) => string) | null;
  /** Whether an upgrade is a new system, which only a boot puts in place. */
  readonly isBooted?: true;
  /** Whether `upgradeOf` skips packages that are not installed. */
  readonly upgradesInstalledOnly: boolean;
  /** Names a package without its version. `native`: the architecture of the host. */
  unpinnedSpec(one: CommandPackage, native: string): string;
  /** Names a package with its version. */
  pinnedSpec(one: CommandPackage, native: string): string;
  /** The packages that only a boot replaces. */
  readonly corePackages: ReadonlySet<string>;
}

const aptAnswers = ' -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold';

/** Options that take the place of answers. */
function answers(asks: Asks, options: string): string {
  return asks === 'asks' ? '' : options;
}

/** deb-control(5) and deb-version(7). apt-get(8) removes a package whose name argument ends with a hyphen. */
const apt: ManagerRules = {
  safeName: /^[a-z0-9](?:[a-z0-9+.-]*[a-z0-9+.])?$/,
  safeVersion: /^[0-9][A-Za-z0-9.+~:-]*$/,
  fullUpgrade: (asks) => `apt-get update && apt-get${answers(asks, aptAnswers)} upgrade --with-new-pkgs`,
  securityUpgrade: null,
  upgradeOf: (specs, asks) =>
    `apt-get update && apt-get${answers(asks, aptAnswers)} install --only-upgrade ${specs}`,
  upgradesInstalledOnly: true,
  unpinnedSpec: ({ name, architecture }, native) =>
    architecture === native || architecture === 'all' ? name : `${name}:${architecture}`,
  pinnedSpec: (one, native) => `${apt.unpinnedSpec(one, native)}=${one.version}`,
  corePackages: aptCorePackages,
};

/** rpm's accepted names and versions, and the common rules of its package managers. */
const rpm = {
  safeName: /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/,
  safeVersion: /^[A-Za-z0-9][A-Za-z0-9._+~^:-]*$/,
  upgradesInstalledOnly: false,
  unpinnedSpec: ({ name, architecture }: CommandPackage) => `${name}.${architecture}`,
  pinnedSpec: ({ name, architecture, version }: CommandPackage) =>
    `${name}-${version.replace(/^0:/, '')}.${architecture}`,
  corePackages: rpmCorePackages,
};

function zypper(work: string, asks: Asks): string {
  const program = `zypper${answers(asks, ' --non-interactive')}`;
  return `${program} refresh && ${program} ${work}`;
}

function transactional(work: string, asks: Asks): string {
  return `transactional-update${answers(asks, ' --non-interactive')} ${work}`;
}

/** Systems whose packages come as one image, which the upgrade replaces. */
const image = { ...rpm, securityUpgrade: null, upgradeOf: null, isBooted: true } as const;

const rules: Readonly<Record<PackageManager, ManagerRules>> = {
  apt,
  dnf: {
    ...rpm,
    fullUpgrade: (asks) => `dnf${answers(asks, ' -y')} upgrade --refresh`,
    securityUpgrade: (asks) => `dnf${answers(asks, ' -y')} upgrade --refresh --security`,
    upgradeOf: (specs, asks) => `dnf${answers(asks, ' -y')} upgrade --refresh ${specs}`,
  },
  yum: {
    ...rpm,
    fullUpgrade: (asks) => `yum${answers(asks, ' -y')} update`,
    securityUpgrade: (asks) => `yum${answers(asks, ' -y')} update --security`,
    upgradeOf: (specs, asks) => `yum${answers(asks, ' -y')} update ${specs}`,
  },
  zypper: {
    ...rpm,
    fullUpgrade: (asks, isRolling) => zypper(isRolling ? 'dup' : 'update', asks),
    securityUpgrade: (asks) => zypper('patch --category security', asks),
    upgradeOf: (specs, asks) => zypper(`install ${specs}`, asks),
    pinnedSpec: (one) => `${rpm.unpinnedSpec(one)}=${one.version}`,
  },
  tdnf: {
    ...rpm,
    fullUpgrade: (asks) => `tdnf${answers(asks, ' -y')} update --refresh`,
    securityUpgrade: null,
    upgradeOf: (specs, asks) => `tdnf${answers(asks, ' -y')} update --refresh ${specs}`,
    unpinnedSpec: ({ name }) => name,
    pinnedSpec: ({ name, version }) => `${name}-${version.replace(/^\d+:/, '')}`,
  },
  // transactional-update(8): it changes a snapshot of the system. Its `patch` does not select by category.
  'transactional-update': {
    ...rpm,
    fullUpgrade: (asks, isRolling) => transactional(isRolling ? 'dup' : 'up', asks),
    securityUpgrade: null,
    upgradeOf: (specs, asks) => transactional(`pkg install ${specs}`, asks),
    pinnedSpec: (one) => `${rpm.unpinnedSpec(one)}=${one.version}`,
    isBooted: true,
  },
  bootc: { ...image, fullUpgrade: () => 'bootc upgrade' },
  'rpm-ostree': { ...image, fullUpgrade: () => 'rpm-ostree upgrade' },
};

/** The rules of a package manager. */
export function managerRules(manager: PackageManager): ManagerRules {
  return rules[manager];
}
