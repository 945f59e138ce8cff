import { hasTagOfEach } from '../fleet/tag-combinations.ts';
import type { HostColumns } from '../hosts/host-columns.ts';
import type { PatchRows } from './patch-memory.ts';
import type { CountedHost, CountedHosts } from './patch-selection.ts';
import type { PatchTimes } from './patch-times.ts';
import type { TimeToPatchQuestion } from './time-to-patch-question.ts';

/** What counting hosts from memory depends on. */
export interface RememberedQuestion {
  readonly question: TimeToPatchQuestion;
  readonly columns: HostColumns;
  readonly rows: PatchRows;
  /** Hosts that are counted elsewhere: what they count as is put into `counted`. */
  readonly walked: ReadonlySet<string>;
  readonly counted: Map<string, CountedHost>;
  readonly silent: ReadonlySet<string>;
  /** The start of the history; null: nothing was dropped. */
  readonly historyFrom: Date | null;
  /** See loadCoveredReleases. */
  readonly coveredFrom: ReadonlyMap<number, Date>;
}

/** Adds the exposures of the approved hosts of a question to sums, from memory. */
export function addRemembered(of: RememberedQuestion, times: PatchTimes): CountedHosts {
  const { question, columns, rows, walked, counted } = of;
  const to = question.to.getTime();
  const from = Math.max(question.from.getTime(), of.historyFrom?.getTime() ?? 0);
  const [loud, quiet] = [false, true].map((isSilent) => ({ from, to, isSilent }));
  const isChosen = chooseHosts(question, columns);
  let [hosts, silentHosts, known] = [0, 0, Number.POSITIVE_INFINITY];
  for (let position = 0; position < columns.size; position += 1) {
    const id = columns.ids[position];
    if (id === undefined || !isChosen(position)) continue;
    const isSilent = of.silent.has(id);
    hosts += 1;
    if (isSilent) silentHosts += 1;
    known = Math.min(known, knownAt(columns, position, of.coveredFrom));
    const period = isSilent ? quiet : loud;
    if (walked.has(id)) counted.set(id, { isSilent, retiredAt: null });
    else if (period !== undefined) rows.addTo(times, id, period);
  }
  return { hosts, silentHosts, knownFrom: Number.isFinite(known) ? new Date(known) : null };
}

/** Since when findings of a host are known, as in SQL, see countedHosts; infinite: they are not yet. */
function knownAt(
  columns: HostColumns,
  position: number,
  coveredFrom: RememberedQuestion['coveredFrom'],
): number {
  const first = columns.timeOf('firstSnapshotAt', position);
  const covered = coveredFrom.get(columns.numbers.releaseId[position] ?? 0);
  return first === null || covered === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(first, covered.getTime());
}

/** Whether the host at a position is one of a question. */
function chooseHosts({ to, tags }: TimeToPatchQuestion, columns: HostColumns): (position: number) => boolean {
  const approved = columns.words.approvalStatus.indexOf('approved');
  const { isPresent } = columns.flags;
  const { approvalStatus } = columns.codes;
  const { createdAt } = columns.times;
  const { tagSetId } = columns.numbers;
  const bySet = new Map<number, boolean>();
  const hasTags = (position: number) => {
    const set = tagSetId[position] ?? 0;
    const known = bySet.get(set);
    if (known !== undefined) return known;
    const has = hasTagOfEach(columns.tagsOf(position), tags);
    bySet.set(set, has);
    return has;
  };
  const end = to.getTime();
  return (position) =>
    isPresent[position] === 1 &&
    approvalStatus[position] === approved &&
    (createdAt[position] ?? 0) < end &&
    (tags.length === 0 || hasTags(position));
}
