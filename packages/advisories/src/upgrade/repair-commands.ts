import type { BrokenPackage, PackageManager } from '@plimsoll/model';
import { isSafePackage, shellWord } from './upgrade-command.ts';

/**
 * The commands that finish installations which did not end, in the order to try them; for a POSIX shell. dpkg(1):
 * unpacked and half-configured packages, and triggers, are configured; what is half installed has to be installed again.
 * dnf(8) and yum repeat the transaction that was cut off, and then remove the older versions that it left.
 */
export function repairCommands(
  manager: PackageManager,
  broken: readonly Pick<BrokenPackage, 'name' | 'architecture' | 'state' | 'version'>[],
): readonly string[] {
  if (broken.length === 0) return [];
  if (manager !== 'apt') return rpmCommands[manager] ?? [];
  const again = broken.filter(
    (one) => one.state === 'half_installed' && isSafePackage('apt', { ...one, version: one.version || '0' }),
  );
  const names = [...new Set(again.map(({ name }) => shellWord(name)))];
  const commands = again.length < broken.length ? ['dpkg --configure -a'] : [];
  if (names.length > 0) commands.push(`apt-get install --reinstall ${names.join(' ')}`);
  return [...commands, 'apt-get --fix-broken install'];
}

const rpmCommands: Readonly<Partial<Record<PackageManager, readonly string[]>>> = {
  dnf: ['dnf history redo last', 'dnf remove --duplicates'],
  yum: ['yum-complete-transaction', 'package-cleanup --cleandupes'],
  zypper: ['zypper verify'],
};
