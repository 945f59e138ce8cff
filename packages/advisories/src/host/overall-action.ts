import type { OverallAction } from '@plimsoll/model';

/** What a host's most urgent action follows from. `urgent`: about a critical or known exploited finding. */
export interface ActionGrounds {
  readonly urgentInstallable: boolean;
  readonly urgentPendingReboot: boolean;
  /** A finding's fix can be installed now. */
  readonly installable: boolean;
  /** The package manager calls an update that is not held a security update. */
  readonly offersSecurity: boolean;
  readonly rebootNeeded: boolean;
  readonly restartNeeded: boolean;
  readonly updatesWait: boolean;
}

/** The one most urgent thing to do (HTTP contract, `overall_action`). */
export function overallAction(grounds: ActionGrounds): Exclude<OverallAction, 'unknown'> {
  if (grounds.urgentInstallable) return 'update_urgent';
  if (grounds.urgentPendingReboot) return 'reboot_urgent';
  if (grounds.installable || grounds.offersSecurity) return 'update_security';
  if (grounds.rebootNeeded) return 'reboot';
  if (grounds.restartNeeded) return 'restart';
  return grounds.updatesWait ? 'update' : 'none';
}
