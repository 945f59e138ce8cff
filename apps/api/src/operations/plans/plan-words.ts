import type { notCoveredCodes, PlannedHost } from '@plimsoll/contract';
import type { FixState } from '@plimsoll/model';

/** Why an advisory stays open, by its fix state. */
export const fixStateReasons: Readonly<Record<FixState, string>> = {
  installable: 'The repositories of the host offer the fix.',
  held: 'The package is held or excluded on the host, or its name is not valid.',
  phased: 'The publisher offers the fix to other hosts first.',
  pending_reboot: 'The fixed kernel is installed or in this plan, but the host has to boot it.',
  needs_subscription: 'The fix needs a subscription that the host does not have.',
  not_in_repositories: 'The fix is published, but the repositories of the host do not offer it.',
  fix_published: 'The fix is published; whether the host is offered it is not known.',
  livepatched: 'The running kernel is patched in memory; the installed one is not fixed.',
  will_not_fix: 'The vendor will not fix it.',
  under_investigation: 'The vendor has not decided whether the package is affected.',
  no_fix: 'The vendor has published no fix.',
};

type NoteCode = PlannedHost['notes'][number]['code'];

/** What each note means. */
export const noteWords: Readonly<Record<NoteCode, string>> = {
  no_report: 'The host has not reported yet: nothing is known about it.',
  pending_approval: 'The host is not approved.',
  retired: 'The host is retired.',
  package_lists_unknown:
    'The host did not report which updates are offered, or how old its package lists are: updates may be missing.',
  package_manager_unknown: 'The package manager of the host is not known.',
  report_outdated: 'The last report is old: the plan is for the host as it was then.',
  package_lists_outdated:
    'The package lists of the host were old when it reported: newer updates are missing.',
  repository_outdated: 'A repository of the host is older than the newest known copy: updates are missing.',
  feed_outdated: 'The advisory feed is outdated: newer advisories are missing.',
  no_feed: 'No advisory feed has data about this release: which advisories are open is not known.',
  release_eol: 'The release is out of support: its newer vulnerabilities may not be known.',
  packages_unchecked: 'Some installed packages cannot be compared with advisories.',
  unsafe_names: 'Some offers are left out: their names or versions are not valid.',
  reboot_not_allowed: 'The host needs a reboot, which this plan does not allow.',
  reboot_unknown: 'Whether the host needs a reboot is not known.',
};

/** Why scripts and playbooks leave a host out. */
export const notCoveredWords: Readonly<Record<(typeof notCoveredCodes)[number], string>> = {
  not_approved: 'The host is not approved, or was retired or deleted.',
  no_report: 'The host has not reported yet.',
  machine_id_missing:
    'The newest report has no valid machine id, by which a script could recognise the machine.',
  machine_id_shared:
    'Another host, approved or pending, has or claims the same machine id: which of them the machine is cannot be told.',
  machine_id_changed:
    'The newest report has another machine id than the host was added with, or than the plan has.',
};
