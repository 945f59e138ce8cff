import type { EvidenceBounds, EvidencePeriod, FeedRow, StoredDuePolicy } from '@plimsoll/db';
import { type HostScope, hostCount } from '@plimsoll/model';
import { feedNotes } from './feed-notes.ts';
import type { HostTally } from './host-tally.ts';

/** What the notes of a pack follow from. */
export interface NotedEvidence {
  readonly period: EvidencePeriod;
  readonly scope: HostScope;
  readonly bounds: EvidenceBounds;
  readonly tally: HostTally;
  readonly feeds: readonly FeedRow[];
  readonly policy: StoredDuePolicy;
  /** What follows from the subject. */
  readonly limits: readonly string[];
}

/** What limits the evidence, as sentences; the gravest first. There is always at least one. */
export function evidenceNotes(noted: NotedEvidence): readonly string[] {
  const { limits, scope } = noted;
  return [
    ...historyNotes(noted),
    ...hostNotes(noted),
    ...knowledgeNotes(noted),
    ...feedNotes(noted.feeds, noted.tally.feeds, noted.period),
    ...policyNotes(noted),
    ...limits,
    ...(scope.kind === 'tagged'
      ? [
          `The pack was made for a reader who is limited to the tags ${scope.tags.join(', ')}. Hosts without one of them are not in it.`,
        ]
      : []),
    'A finding is a package of a host that a published advisory affected. What no advisory names, and software that the package manager did not install, is not in the pack. Advisories of severity “none” are left out. Times on hosts are those at which their reports arrived.',
  ];
}

function historyNotes({ period: { from, to, now }, bounds }: NotedEvidence): readonly string[] {
  const { historyFrom, deletedHosts, auditFrom } = bounds;
  return [
    ...(historyFrom !== null && historyFrom > from
      ? [
          `The history before ${historyFrom.toISOString()} was deleted by the retention of this installation. Of the time from ${from.toISOString()} until then the pack has only what was still open afterwards: earlier findings can be missing, and the state at the start is not known.`,
        ]
      : []),
    deletedNote(deletedHosts, auditFrom, from),
    ...(to >= now ? ['The period ends when the pack was made; what was reported later is not in it.'] : []),
  ];
}

function deletedNote(deleted: number | null, auditFrom: Date | null, from: Date): string {
  if (deleted === null)
    return 'Hosts that were deleted are in no number, because nothing of them is stored. How many were deleted is shown to readers of the whole fleet only.';
  if (auditFrom === null)
    return 'Hosts that were deleted are in no number, because nothing of them is stored. How many were deleted is not known, because the audit log is empty.';
  const since = auditFrom > from ? auditFrom : from;
  const known =
    since === from
      ? ''
      : ' The audit log does not go back to the start of the period; whether hosts were deleted before is not known.';
  const count = `Deleted from the whole installation since ${since.toISOString()}: ${deleted === 0 ? 'no host' : hostCount(deleted)}.`;
  const limit =
    ' Deleted hosts are in no number, because nothing of them is stored, and which tags they had is not known.';
  return `${count}${deleted === 0 ? '' : limit}${known}`;
}

function hostNotes({ tally, period }: NotedEvidence): readonly string[] {
  const { hosts, silent, later, retired } = tally;
  return [
    ...(hosts === 0 ? ['No host is in the pack.'] : []),
    ...(silent > 0
      ? [
          `Silent: ${silent} of ${hostCount(hosts)}. What a silent host had at the end of the period was neither received nor confirmed since ${period.from.toISOString()}. Its findings may be out of date, and it does not count as patched.`,
        ]
      : []),
    ...(later > 0
      ? [
          `Added after the period: ${later} of ${hostCount(hosts)}. They were not here in the period, so nothing is known of them then.`,
        ]
      : []),
    ...(retired > 0
      ? [
          `Retired: ${hostCount(retired)}. What a retired host had open when it was retired was not closed by patching.`,
        ]
      : []),
  ];
}

function knowledgeNotes({ tally }: NotedEvidence): readonly string[] {
  const { unknownStart, unjudgedStart, unknownEnd, unjudgedEnd, notCountedEnd, partlyKnown, gapped } = tally;
  return [
    ...(unknownStart > 0
      ? [
          `The state at the start of the period is not known of ${hostCount(unknownStart)}; “start” in evidence.json says why.`,
        ]
      : []),
    ...(unjudgedStart > 0
      ? [
          `What was open at the start of the period is not known of ${hostCount(unjudgedStart)}, because no advisories were known for them, or their last report was old; “start” in evidence.json has the gaps.`,
        ]
      : []),
    ...(unknownEnd > 0
      ? [`The state at the end of the period is not known of ${hostCount(unknownEnd)}.`]
      : []),
    ...(unjudgedEnd > 0
      ? [
          `What was open at the end of the period is not known of ${hostCount(unjudgedEnd)}, because no advisories were known for them, or their last report was old; “end” in evidence.json has the gaps.`,
        ]
      : []),
    ...(notCountedEnd > 0
      ? [
          `On ${hostCount(notCountedEnd)} nothing was found open at the end of the period, but whether anything was open is not known. Their numbers are empty, not zero, and no sum has them.`,
        ]
      : []),
    ...(partlyKnown > 0
      ? [
          `The numbers of findings are lower bounds, because of ${hostCount(partlyKnown)} not all findings are known.`,
        ]
      : []),
    ...(gapped > 0
      ? [
          `Of ${hostCount(gapped)} something was not known at the end of the period. The gaps are listed for each host.`,
        ]
      : []),
  ];
}

function policyNotes({ policy: { policy, changed }, period }: NotedEvidence): readonly string[] {
  if (policy.rules.length === 0)
    return ['No policy of due dates is set: whether findings were closed in time is not judged.'];
  const isNewer = changed !== null && changed.at > period.from;
  return [
    `Due dates follow the policy, tags and exposure in force when the pack was made${isNewer ? `; the policy was changed at ${changed.at.toISOString()}, in the period or after it, so other dates may have applied before` : ''}. Where something was not known, the stricter case counts, as “due_assumptions” says, except that without current data of CISA KEV a CVE counts as not exploited.`,
  ];
}
