import type { Gap, OverallAction, Snapshot } from '@plimsoll/model';
import {
  brokenRepository,
  copiesFrom,
  failing,
  type HostChange,
  listsFrom,
  outdated,
  rebootFlag,
  restartDue,
  withPackage,
} from '../systems/host-changes.ts';
import { patchedHost, type SystemParts } from '../systems/system.ts';
import { focal, noble, nobleExtras, nobleKernels, ubuntuKernel } from '../systems/ubuntu.ts';
import type { Story } from './story.ts';

/** A patched host of a system with changes, in their order. */
export function hostOf(parts: SystemParts, ...changes: readonly HostChange[]): (now: Date) => Snapshot {
  return (now) => changes.reduce((host, change) => change(host, parts, now), patchedHost(parts, now));
}

function story(
  title: string,
  action: OverallAction,
  gaps: readonly Gap[],
  snapshot: (now: Date) => Snapshot,
): Story {
  return { title, action, gaps, door: { kind: 'agent', snapshot } };
}

const runsOldKernel: HostChange = (host) => ({
  ...host,
  kernel: ubuntuKernel(nobleKernels.vulnerable, [nobleKernels.newest, nobleKernels.vulnerable]),
});

const attached: HostChange = (host) => ({
  ...host,
  subscription: { kind: 'ubuntu-pro', attached: true, services: ['esm-infra', 'esm-apps'] },
});

const inContainer: HostChange = (host, { packages }) => ({
  ...host,
  platform: { ...host.platform, virtualization: 'lxc' },
  packages: host.packages.filter(({ name }) =>
    packages.some((one) => one.name === name && !name.startsWith('linux-')),
  ),
});

/** Hosts with Ubuntu: each action that a host can need, and each gap of a host whose feed is complete. */
export const ubuntuStories: readonly Story[] = [
  { ...story('fully patched', 'none', [], hostOf(noble)), isUsual: true },
  story(
    'exploited hole, fix waits',
    'update_urgent',
    [],
    hostOf(noble, outdated(['libxml2', 'curl', 'vim'])),
  ),
  {
    ...story(
      'security updates wait',
      'update_security',
      [],
      hostOf(noble, outdated(['openssh-server', 'sudo', 'python3.12'])),
    ),
    isUsual: true,
  },
  {
    ...story('plain update waits', 'update', [], hostOf(noble, outdated(['tzdata'], 'plain'))),
    isUsual: true,
  },
  story(
    'nothing to do but watch',
    'watch',
    [],
    hostOf(noble, withPackage(nobleExtras.tiff), withPackage(nobleExtras.exim)),
  ),
  story(
    'exploited hole without a fix',
    'mitigate_urgent',
    [],
    hostOf(noble, withPackage(nobleExtras.ghostscript)),
  ),
  story('urgent fix is held back', 'unblock_urgent', [], hostOf(noble, outdated(['libxml2'], 'held'))),
  story('fix is not in its mirror', 'unblock', [], hostOf(noble, outdated(['nginx'], 'none'))),
  story('phased update', 'watch', [], hostOf(noble, outdated(['vim'], 'phased'))),
  story('fix needs Ubuntu Pro', 'subscribe', [], hostOf(noble, withPackage(nobleExtras.imagemagick))),
  story(
    'runs a kernel with a critical hole',
    'reboot_urgent',
    [],
    hostOf(noble, withPackage(nobleKernels.vulnerable), runsOldKernel),
  ),
  story('reboot due', 'reboot', [], hostOf(noble, rebootFlag('yes', ['libc6', 'linux-base']))),
  story('services to restart', 'restart', [], hostOf(noble, restartDue(['nginx.service', 'ssh.service']))),
  story('container, patched', 'none', [], hostOf(noble, inContainer)),
  story(
    'package of a third party',
    'none',
    ['packages_unchecked'],
    hostOf(noble, withPackage(nobleExtras.docker)),
  ),
  story(
    'apt could not list updates',
    'unknown',
    ['package_lists_unknown'],
    hostOf(noble, failing('upgradable', 'apt-get: exit 100')),
  ),
  story(
    'package lists of three weeks ago',
    'unknown',
    ['package_lists_outdated'],
    hostOf(noble, listsFrom(21)),
  ),
  story('mirror is a month behind', 'unblock', ['repository_outdated'], hostOf(noble, copiesFrom(30))),
  story(
    'broken repository',
    'unblock',
    ['repositories_unknown', 'repository_failing'],
    hostOf(noble, brokenRepository('gpgv: every key that signs it has expired')),
  ),
  story(
    'kernel and services could not be read',
    'none',
    ['reboot_unknown', 'restart_unknown'],
    hostOf(noble, failing('kernel', 'uname: exit 127'), failing('services', 'needrestart: exit 1')),
  ),
  story('support has ended', 'upgrade_release', ['release_eol'], hostOf(focal)),
  story(
    'support has ended, critical hole',
    'upgrade_release_urgent',
    ['release_eol'],
    hostOf(focal, outdated(['samba'], 'none')),
  ),
  story('extended support', 'none', [], hostOf(focal, attached)),
  {
    ...story('silent for five days', 'unknown', ['report_outdated'], hostOf(noble)),
    silentForDays: 5,
  },
];
