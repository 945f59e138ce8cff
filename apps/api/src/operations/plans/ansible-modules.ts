import type { PackageManager } from '@plimsoll/model';

/** A module of Ansible that upgrades packages. */
export interface UpgradeModule {
  readonly module: string;
  /** The collection that has the module; null: Ansible's own. */
  readonly collection: string | null;
  readonly options: Readonly<Record<string, boolean>>;
  /** Only without versions. */
  readonly optionsOfNewest?: Readonly<Record<string, boolean>>;
}

/**
 * Ansible's modules, with options that keep them from installing what is not installed. With `update_only` those of dnf and yum
 * skip every name with a version that is not installed yet, and report success: it is for the newest versions alone. zypper's
 * module has no such option.
 */
const modules: Readonly<Record<PackageManager, UpgradeModule | null>> = {
  apt: {
    module: 'ansible.builtin.apt',
    collection: null,
    options: { only_upgrade: true, update_cache: true },
  },
  dnf: {
    module: 'ansible.builtin.dnf',
    collection: null,
    options: { update_cache: true },
    optionsOfNewest: { update_only: true },
  },
  yum: {
    module: 'ansible.builtin.yum',
    collection: null,
    options: { update_cache: true },
    optionsOfNewest: { update_only: true },
  },
  zypper: {
    module: 'community.general.zypper',
    collection: 'community.general',
    options: { update_cache: true },
  },
  tdnf: null,
  'transactional-update': null,
  bootc: null,
  'rpm-ostree': null,
};

/** The module for a package manager; null if Ansible has none that does what its command does. */
export function moduleOf(manager: PackageManager): UpgradeModule | null {
  return modules[manager];
}

/** Whether playbooks can upgrade hosts with this package manager. */
export function hasPlaybook(manager: PackageManager): boolean {
  return modules[manager] !== null;
}
