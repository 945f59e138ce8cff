import type { Snapshot, TriState } from '@plimsoll/model';
import { installed, offered, type SystemPackage, type SystemParts } from './system.ts';

/** A change of a host's report. */
export type HostChange = (host: Snapshot, parts: SystemParts, now: Date) => Snapshot;

const dayMs = 86_400_000;

function packageNamed({ packages }: SystemParts, name: string): SystemPackage {
  const found = packages.find((one) => one.name === name);
  if (found?.older === undefined) throw new Error(`the system has no older version of ${name}`);
  return found;
}

/** The host still has the older versions of packages. `offer`: whether its package manager offers the newest ones. */
export function outdated(
  names: readonly string[],
  offer: 'security' | 'plain' | 'held' | 'phased' | 'none' = 'security',
): HostChange {
  return (host, parts) => {
    const behind = names.map((name) => packageNamed(parts, name));
    const isHeld = offer === 'held';
    const packages = host.packages.map((one) => {
      const older = behind.find(({ name }) => name === one.name)?.older;
      return older === undefined ? one : { ...one, version: older, sourceVersion: older, held: isHeld };
    });
    const upgrades = behind.map((one) => ({
      ...offered(parts, one, offer !== 'plain'),
      held: isHeld,
      phased: offer === 'phased',
    }));
    return {
      ...host,
      packages,
      upgrades: offer === 'none' ? host.upgrades : [...host.upgrades, ...upgrades],
    };
  };
}

/** The host has an additional package, without a newer version. */
export function withPackage(one: SystemPackage): HostChange {
  return (host, parts) => ({ ...host, packages: [...host.packages, installed(parts, one)] });
}

/** Reports of these sections failed. */
export function failing(section: string, detail: string): HostChange {
  return (host) => ({ ...host, failures: [...host.failures, { section, detail }] });
}

/** Whether the host's own tools report that it must reboot. */
export function rebootFlag(rebootRequired: TriState, rebootPackages: readonly string[] = []): HostChange {
  return (host) => ({ ...host, kernel: { ...host.kernel, rebootRequired, rebootPackages } });
}

/** Services that still run code from before an update. */
export function restartDue(names: readonly string[]): HostChange {
  const toRestart = names.map((name) => ({ name, reason: 'uses files that were deleted' }));
  return (host) => ({ ...host, services: { restartRequired: 'yes', toRestart } });
}

/** The package lists were last fetched this many days ago. */
export function listsFrom(days: number): HostChange {
  return refreshed((now) => ({ at: new Date(now.getTime() - days * dayMs) }));
}

/** The copies of the repositories are this many days old, as on a mirror that is not updated. */
export function copiesFrom(days: number): HostChange {
  return refreshed((now) => ({ publishedAt: new Date(now.getTime() - days * dayMs) }));
}

/** The last fetch of the first repository failed. */
export function brokenRepository(error: string): HostChange {
  return (host) => {
    const [first, ...others] = host.observed.refreshed;
    if (first === undefined) throw new Error('the host has no repository to break');
    return { ...host, observed: { ...host.observed, refreshed: [{ ...first, error }, ...others] } };
  };
}

function refreshed(change: (now: Date) => { readonly at?: Date; readonly publishedAt?: Date }): HostChange {
  return (host, _parts, now) => ({
    ...host,
    observed: {
      ...host.observed,
      refreshed: host.observed.refreshed.map((one) => ({ ...one, ...change(now) })),
    },
  });
}
