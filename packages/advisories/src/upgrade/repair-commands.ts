import type { BrokenPackage, PackageManager } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { isSafePackage, packageSpecs, shellWord } from './upgrade-command.ts';

/** The commands that finish installations which did not end, in the order to try them; for a POSIX shell. */
export function repairCommands(manager: PackageManager, broken: readonly BrokenPackage[]): readonly string[] {
  return broken.length === 0 ? [] : (repairs[manager]?.(broken) ?? []);
}

/** By package manager. Of dnf and yum by what a cut-off transaction leaves: its rest, and the older versions. */
const repairs: Readonly<
  Record<PackageManager, ((broken: readonly BrokenPackage[]) => readonly string[]) | null>
> = {
  apt: aptRepairs,
  dnf: (broken) => [
    'dnf history list',
    'dnf history redo ID # the ID of the transaction that did not end, as listed',
    'dnf check --duplicates',
    ...olderRemoved(broken),
  ],
  yum: () => ['yum-complete-transaction', 'package-cleanup --cleandupes'],
  zypper: () => ['zypper verify'],
  tdnf: null,
  'transactional-update': null,
  bootc: null,
  'rpm-ostree': null,
};

/** dpkg(1): unpacked and half-configured packages, and triggers, are configured; what is half installed is installed again. */
function aptRepairs(broken: readonly BrokenPackage[]): readonly string[] {
  const again = broken.filter(
    (one) => one.state === 'half_installed' && isSafePackage('apt', { ...one, version: one.version || '0' }),
  );
  const names = [...new Set(again.map(({ name }) => shellWord(name)))];
  const commands = again.length < broken.length ? ['dpkg --configure -a'] : [];
  if (names.length > 0) commands.push(`apt-get install --reinstall ${names.join(' ')}`);
  return [...commands, 'apt-get --fix-broken install'];
}

/** dnf5(8) cannot remove duplicates in all its versions: by name, and only what is older than the newest installed. */
function olderRemoved(broken: readonly BrokenPackage[]): readonly string[] {
  const older = broken.filter((one) => isSafePackage('dnf', one) && isOlder(one));
  const specs = packageSpecs('dnf', older.slice(0, mostNamed), '').pinned;
  return specs.length === 0 ? [] : [`dnf remove ${specs.map(shellWord).join(' ')}`];
}

/** As many packages as the host's page lists. */
const mostNamed = 10;

function isOlder({ version, otherVersion }: BrokenPackage): boolean {
  const [own, other] = [version, otherVersion ?? ''].map((text) => versionKey('rpm', text));
  return own?.kind === 'key' && other?.kind === 'key' && compareKeys(own.key, other.key) < 0;
}
