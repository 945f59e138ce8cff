import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A machine for which a plan is made and on which its files run. */
export interface PlannedMachine {
  readonly manager: 'apt' | 'dnf';
  /** Makes a private host this machine, with two packages of which only plimsoll-demo may be upgraded. */
  readonly prepare: string;
  /** File of apps/agent/dist. */
  readonly collector: string;
  /** Prints `installed NAME VERSION` for each package of the test, by name. */
  readonly list: string;
  /** The versions before and after the plan. */
  readonly versions: readonly [before: string, after: string];
  readonly remove: string;
  /** Takes the planned version out of the repository; another one is there. */
  readonly replace: string;
  /** Programs beyond Ansible that the machine needs. */
  readonly needs: readonly string[];
  /** What each file does about a package that was removed since, with its exit status; those that install it come last. */
  readonly removedSince: readonly (readonly [
    file: PlanFileName,
    status: number,
    outcome: 'left out' | 'installed',
  ])[];
}

/** A file of the plan: how versions are named, and for what. */
export type PlanFileName = `${'pinned' | 'newest' | 'hostile'}.${'yml' | 'sh'}`;

const script = (name: string) => readFileSync(path.join(__dirname, name), 'utf8');

/** One machine for each package manager whose files are run. */
export const plannedMachines: readonly PlannedMachine[] = [
  {
    manager: 'apt',
    prepare: script('apt-machine.sh'),
    collector: 'collector-apt.sh',
    list: `dpkg-query --show --showformat '\${db:Status-Status} \${Package} \${Version}\\n' 'plimsoll-*'`,
    versions: ['1.0-1', '1.0-2'],
    remove: 'dpkg --purge plimsoll-demo',
    replace: `sed -i 's/^Version: 1.0-2$/Version: 1.0-3/' /srv/repository/Packages`,
    needs: [],
    removedSince: [
      ['pinned.yml', 0, 'left out'],
      ['newest.yml', 0, 'left out'],
      ['pinned.sh', 0, 'left out'],
      ['newest.sh', 0, 'left out'],
    ],
  },
  {
    manager: 'dnf',
    prepare: script('dnf-machine.sh'),
    collector: 'collector-rpm.sh',
    list: `rpm --query --all --queryformat 'installed %{NAME} %{VERSION}-%{RELEASE}\\n' 'plimsoll-*' | sort`,
    versions: ['1.0-1.el9', '1.0-2.el9'],
    remove: 'rpm --erase plimsoll-demo',
    replace: `package plimsoll-demo 3.el9
      rm /srv/repository/noarch/plimsoll-demo-1.0-2.el9.noarch.rpm
      createrepo_c --quiet /srv/repository`,
    needs: ['dnf', 'rpmbuild', 'createrepo_c'],
    removedSince: [
      ['newest.yml', 0, 'left out'],
      ['pinned.sh', 1, 'left out'],
      ['newest.sh', 0, 'left out'],
      // With versions Ansible's module installs what is not installed.
      ['pinned.yml', 0, 'installed'],
    ],
  },
];
