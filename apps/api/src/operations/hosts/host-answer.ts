import type { Host } from '@plimsoll/contract';
import type { DueReasons, ListedOverview } from '@plimsoll/db';
import { gapsOfBits, type HostId } from '@plimsoll/model';
import type { ApiStores } from '../../stores.ts';
import { unknownFieldsOf } from './unknown-fields.ts';

/** A host as in lists. */
export function hostAnswer(host: ListedOverview): Host {
  const gaps = [...gapsOfBits(host.gaps)];
  const states = { reboot_state: host.rebootState, restart_state: host.restartState };
  return {
    id: host.id,
    onboarding_mode: host.onboardingMode,
    approval_status: host.approvalStatus,
    display_name: host.displayName,
    hostname: host.hostname,
    os_family: host.osFamily,
    os_name: host.osName,
    os_major: host.osMajor,
    os_version: host.osVersion,
    architecture: host.architecture,
    status: host.status,
    overall_action: host.overallAction,
    critical_count: host.critical,
    important_count: host.important,
    moderate_count: host.moderate,
    available_updates: host.availableUpdates,
    phased_updates: host.phasedUpdates,
    needs_reboot: host.rebootState === 'needed' ? 1 : 0,
    needs_restart: host.servicesDue,
    last_seen_at: host.lastSeenAt.toISOString(),
    created_at: host.createdAt.toISOString(),
    retired_at: host.retiredAt?.toISOString() ?? null,
    low_count: host.low,
    unrated_count: host.unrated,
    unfixed_count: host.unfixed,
    known_exploited_count: host.knownExploited,
    waived_count: host.waived,
    unknown_count: host.unknown,
    disagreement_count: host.disagreements,
    broken_count: host.brokenPackages,
    gaps,
    overall_known: gaps.length === 0,
    unknown_fields: unknownFieldsOf({ gaps, os_version: host.osVersion, ...states }),
    updates_state: host.updatesState,
    repositories_state: host.repositoriesState,
    repository_error: host.repositoryError,
    ...states,
    coverage: host.coverage,
    machine_id_conflict_with: host.machineIdConflictWith,
    tags: [...host.tags],
    ip_address: host.ipAddress,
    feed_updated_at: host.feedUpdatedAt?.toISOString() ?? null,
    snapshot_collected_at: host.snapshotCollectedAt?.toISOString() ?? null,
    reported_at: host.reportedAt?.toISOString() ?? null,
    stale_after_seconds: host.staleAfterSeconds,
    exposure: host.exposure,
    due_at: host.dueAt?.toISOString() ?? null,
    overdue_count: host.overdue,
  };
}

/** Pages of hosts as in lists. */
export async function* answersOf(pages: AsyncIterable<readonly ListedOverview[]>): AsyncIterable<Host[]> {
  for await (const page of pages) yield page.map(hostAnswer);
}

/**
 * The reasons of hosts that need a reboot or restarts; none is read for the others, except, for `withUnknown`, for hosts of
 * which it is not known whether they need a reboot.
 */
export function reasonsOf(
  { assessments }: Pick<ApiStores, 'assessments'>,
  hosts: readonly ListedOverview[],
  { withUnknown = false }: { readonly withUnknown?: boolean } = {},
): Promise<ReadonlyMap<HostId, DueReasons>> {
  const due = hosts.filter(
    ({ rebootState, restartState }) =>
      rebootState === 'needed' || restartState === 'needed' || (withUnknown && rebootState === 'unknown'),
  );
  return assessments.dueReasons(due.map(({ id }) => id));
}

/** The fields of a host for its reasons. @param reasons undefined: it has not reported, or needs neither reboot nor restarts */
export function reasonsAnswer(
  { rebootState }: Pick<ListedOverview, 'rebootState'>,
  reasons: DueReasons | undefined,
): Required<Pick<Host, 'reboot_reasons' | 'reboot_unknown' | 'booted_at' | 'services_to_restart'>> {
  const {
    rebootReasons = [],
    rebootUnknown = notReported,
    bootedAt = null,
    servicesToRestart = [],
  } = reasons ?? {};
  return {
    reboot_unknown: rebootState === 'unknown' ? rebootUnknown : null,
    reboot_reasons: rebootReasons.map(({ code, detail, source }) => ({ code, detail, source })),
    booted_at: bootedAt?.toISOString() ?? null,
    services_to_restart: servicesToRestart.map(({ name, reason }) => ({ name, reason })),
  };
}

/** Why nothing is known of the kernels of a host without a report. */
export const notReported = 'The host has not reported yet.';
