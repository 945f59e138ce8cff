import { alma9, el9Kernel, el9Kernels, rhel9, rocky9 } from '../systems/el9.ts';
import { outdated, rebootFlag, withPackage } from '../systems/host-changes.ts';
import { noble } from '../systems/ubuntu.ts';
import type { Story } from './story.ts';
import { hostOf } from './ubuntu-stories.ts';

/** Hosts of the rpm family. AlmaLinux' feed lists fixes only; Rocky's is old; Red Hat's was never synced. */
export const rpmStories: readonly Story[] = [
  {
    title: 'AlmaLinux, patched',
    isUsual: true,
    action: 'none',
    gaps: ['feed_lists_fixes_only'],
    door: { kind: 'agent', snapshot: hostOf(alma9) },
  },
  {
    title: 'AlmaLinux, critical fix waits',
    isUsual: true,
    action: 'update_urgent',
    gaps: ['feed_lists_fixes_only'],
    door: { kind: 'agent', snapshot: hostOf(alma9, outdated(['expat', 'httpd', 'curl', 'libxml2'])) },
  },
  {
    title: 'AlmaLinux, runs an old kernel',
    action: 'reboot',
    gaps: ['feed_lists_fixes_only'],
    door: {
      kind: 'agent',
      snapshot: hostOf(
        alma9,
        withPackage(el9Kernels.before),
        (host) => ({ ...host, kernel: el9Kernel(el9Kernels.before, [el9Kernels.newest, el9Kernels.before]) }),
        rebootFlag('yes', ['kernel']),
      ),
    },
  },
  {
    title: 'Rocky, feed is outdated',
    action: 'unknown',
    gaps: ['feed_lists_fixes_only', 'feed_outdated', 'repositories_unknown'],
    door: { kind: 'agent', snapshot: hostOf(rocky9) },
  },
  {
    title: 'RHEL, feed was never fetched',
    action: 'update_security',
    gaps: ['feed_never_synced', 'repositories_unknown'],
    door: { kind: 'agent', snapshot: hostOf(rhel9, outdated(['sudo', 'openssh-server'])) },
  },
];

/** Hosts that no feed covers, or that have not reported. */
export const unknownStories: readonly Story[] = [
  {
    title: 'Kali, no feed',
    action: 'unknown',
    gaps: ['no_feed', 'packages_unchecked'],
    door: {
      kind: 'agent',
      snapshot: hostOf(noble, (host) => ({
        ...host,
        platform: {
          ...host.platform,
          osId: 'kali',
          osVersionId: '2026.3',
          osVersion: '2026.3',
          osCodename: 'kali-rolling',
          osPrettyName: 'Kali GNU/Linux Rolling',
        },
      })),
    },
  },
  {
    title: 'waits for approval',
    action: 'unknown',
    gaps: ['no_report'],
    door: { kind: 'pending', snapshot: null },
  },
  {
    title: 'waits for approval, has reported',
    action: 'update_security',
    gaps: [],
    door: { kind: 'pending', snapshot: hostOf(noble, outdated(['curl', 'sudo'])) },
  },
  {
    title: 'clone of the first host',
    isClone: true,
    action: 'none',
    gaps: [],
    door: { kind: 'pending', snapshot: hostOf(noble) },
  },
  { title: 'SSH name does not exist', action: 'unknown', gaps: ['no_report'], door: { kind: 'ssh' } },
  {
    title: 'manual, no report yet',
    action: 'unknown',
    gaps: ['no_report'],
    door: { kind: 'manual', report: null },
  },
];
