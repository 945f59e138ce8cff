import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AdvisoryKey, fixStates, type PackageVersionId } from '@plimsoll/model';
import { readFindingList } from '../counting/finding-list.ts';
import {
  ContributionCache,
  type Mark,
  type Marks,
  markNumber,
  marksOf,
  type VersionContributions,
} from './contribution-cache.ts';
import { type Contribution, type Contributions, ContributionWriter, rowLength } from './contributions.ts';
import type { AlikeHosts } from './finding-hosts.ts';
import type { KnownFindings, KnownStatement, KnownVersion } from './finding-knowledge.ts';
import type { FindingFilters, FindingGrouping, FindingRow } from './finding-query.ts';
import { type Selection, selectionOf } from './finding-selection.ts';
import { type CountedHosts, FindingTotals } from './finding-totals.ts';
import { type KeptRows, RowWriter } from './kept-rows.ts';
import type { ListedDue, TermsDues } from './statement-due.ts';

/** A finding list and hosts of a selection that have it, with equal terms of due dates. */
export interface ListInUse {
  readonly bytes: Uint8Array;
  /** Null: no policy of due dates is set. */
  readonly dues: TermsDues | null;
  /** As of HostTimes, of all of the hosts; 0 unless due dates depend on it. */
  readonly firstReportAt: number;
  readonly alike: readonly AlikeHosts[];
}

/** What to group, and how. */
export interface GroupQuestion {
  readonly groupBy: FindingGrouping;
  readonly filters: FindingFilters;
  readonly nowMs: number;
}

/** Statements looked at before the process does other work: some milliseconds. */
const statementsPerTurn = 300_000;
const minuteMs = 60_000;
const fixPublished = fixStates.indexOf('fix_published');
const livepatched = fixStates.indexOf('livepatched');
/** Of dates that do not depend on a list. */
const noListedDue: ListedDue = { dueMinute: Number.NaN, installedMinute: 0, firstReportAt: 0 };

/**
 * Groups the findings of lists into rows.
 * @param cache of this question alone; its size changes the time that this takes, and nothing else.
 */
export async function groupFindings(
  knowledge: KnownFindings,
  lists: Iterable<ListInUse>,
  question: GroupQuestion,
  cache: ContributionCache = new ContributionCache(),
): Promise<KeptRows> {
  const rows = new RowWriter();
  const selection = selectionOf(knowledge, question.filters);
  if (selection === null) return rows.written();
  const counter = new ListCounter({ knowledge, cache }, question, selection);
  const { firstSeenBefore } = question.filters;
  const add = (row: FindingRow): void => {
    if (firstSeenBefore === undefined || row.firstSeenAt < firstSeenBefore.getTime()) rows.add(row);
  };
  let looked = 0;
  for (const list of lists) {
    if (question.groupBy === 'host') counter.countHosts(list, add);
    else counter.count(list);
    if (counter.looked - looked < statementsPerTurn) continue;
    looked = counter.looked;
    await nextTurn();
  }
  if (question.groupBy !== 'host') counter.addRows(add);
  return rows.written();
}

/** A package version of a list, with the marks of its exceptions by advisory, in the order of the list. */
interface Entry extends Mark {
  readonly version: KnownVersion;
  readonly exceptions: ReadonlyMap<AdvisoryKey, Mark>;
}

/** A statement that is open on a package version of a list. */
interface Open {
  readonly statement: KnownStatement;
  readonly source: number;
  readonly isSourceFound: boolean;
  readonly state: number;
  readonly waived: boolean;
}

/** Counts one finding list after the other. */
class ListCounter {
  /** A measure of the work done. */
  looked = 0;
  private readonly knowledge: KnownFindings;
  private readonly question: GroupQuestion;
  private readonly selection: Selection;
  /** For hosts whose own name contains the text: they have all of their findings. */
  private readonly unsearched: Selection;
  private readonly totals: FindingTotals;
  private readonly counted: CountedHosts;
  private readonly cache: ContributionCache;
  /** Of the list that is counted. */
  private dues: TermsDues | null = null;
  private firstReportAt = 0;
  /** Used again for each statement. */
  private readonly contribution: Contribution = {
    state: 0,
    severity: 0,
    knownExploited: false,
    epss: -1,
    dueAt: Number.NaN,
    knownAt: 0,
    isOwn: true,
  };

  constructor(
    { knowledge, cache }: { readonly knowledge: KnownFindings; readonly cache: ContributionCache },
    question: GroupQuestion,
    selection: Selection,
  ) {
    const { groupBy, filters, nowMs } = question;
    this.knowledge = knowledge;
    this.cache = cache;
    this.question = question;
    this.selection = selection;
    this.unsearched = { ...selection, found: null };
    const sizes = { advisory: knowledge.groups, cve: knowledge.cves, package: knowledge.sources, host: null };
    this.totals = new FindingTotals(sizes[groupBy]?.size ?? 1);
    this.counted = {
      state: filters.fixState === undefined ? -1 : fixStates.indexOf(filters.fixState),
      overdueOnly: filters.overdue === true,
      nowMs,
    };
  }

  /** Adds a list to the totals. */
  count({ bytes, alike, dues, firstReportAt }: ListInUse): void {
    this.dues = dues;
    this.firstReportAt = firstReportAt;
    this.totals.begin();
    this.read(bytes, this.selection);
    const first = alike.reduce(
      (least, { firstSnapshotAt }) => Math.min(least, firstSnapshotAt),
      Number.POSITIVE_INFINITY,
    );
    const hosts = alike.reduce((sum, some) => sum + some.hosts, 0);
    this.totals.end(hosts, first, this.counted);
  }

  /** Adds the rows of the hosts that have a list. */
  countHosts({ bytes, alike, dues, firstReportAt }: ListInUse, add: (row: FindingRow) => void): void {
    this.dues = dues;
    this.firstReportAt = firstReportAt;
    const named = alike.filter(({ isNamed }) => isNamed);
    const others = alike.filter(({ isNamed }) => !isNamed);
    this.countAlike(bytes, named, this.unsearched, add);
    this.countAlike(bytes, others, this.selection, add);
  }

  private countAlike(
    bytes: Uint8Array,
    hosts: readonly AlikeHosts[],
    selection: Selection,
    add: (row: FindingRow) => void,
  ): void {
    if (hosts.length === 0) return;
    const { totals } = this;
    totals.clear();
    totals.begin();
    this.read(bytes, selection);
    totals.end(1, 0, this.counted);
    const row = totals.rowOf(0, { key: '', title: '' });
    if (row === null) return;
    for (const { id, name, firstSnapshotAt } of hosts)
      add({ ...row, key: id, title: name, firstSeenAt: Math.max(row.firstSeenAt, firstSnapshotAt) });
  }

  /** Adds the rows of all keys with hosts. */
  addRows(add: (row: FindingRow) => void): void {
    const { groups, cves, sources, groupData } = this.knowledge;
    const titles = this.question.groupBy === 'cve' ? this.cveTitles() : null;
    for (let key = 0; key < this.totals.size; key += 1) {
      const names =
        titles !== null
          ? { key: cves.at(key), title: titles.get(key) ?? '' }
          : this.question.groupBy === 'package'
            ? { key: sources.at(key), title: sources.at(key) }
            : { key: groups.at(key), title: groupData[key]?.title ?? '' };
      const row = this.totals.rowOf(key, names);
      if (row !== null) add(row);
    }
  }

  /** The title of the advisory about fewest CVEs, by CVE. */
  private cveTitles(): ReadonlyMap<number, string> {
    const titles = new Map<number, { readonly title: string; readonly cves: number }>();
    for (const { title, cves } of this.knowledge.groupData) {
      if (title === '') continue;
      for (const cve of cves)
        if (cves.size < (titles.get(cve)?.cves ?? Number.POSITIVE_INFINITY))
          titles.set(cve, { title, cves: cves.size });
    }
    return new Map([...titles].map(([cve, { title }]) => [cve, title]));
  }

  private read(bytes: Uint8Array, selection: Selection): void {
    const kept = this.cache.of(selection, this.dues);
    let id: PackageVersionId | null = null;
    // Used again for each version: there are millions of them.
    const listed = { ...noListedDue, firstReportAt: this.firstReportAt };
    const marks = [0];
    const flush = (): void => {
      if (id === null) return;
      for (const contributions of this.contributionsOf(id, marks, selection, kept)) {
        const { rows, later } = contributions;
        this.looked += rows.length / rowLength + later.length;
        this.totals.add(contributions);
        for (const { key, statement, cve } of later)
          this.totals.takeDue(key, this.dueIn(statement, cve, listed));
      }
    };
    readFindingList(bytes, {
      version: (versionId, place, waived, dueMinute, installedMinute) => {
        flush();
        id = versionId;
        listed.dueMinute = dueMinute;
        listed.installedMinute = installedMinute;
        marks.length = 1;
        marks[0] = markNumber(place, waived);
      },
      exception: (advisory, place, waived) => {
        marks.push(advisory, markNumber(place, waived));
      },
    });
    flush();
  }

  /** What the statements about a version contribute to any list with these marks. */
  private contributionsOf(
    id: PackageVersionId,
    marks: Marks,
    selection: Selection,
    kept: VersionContributions,
  ): readonly Contributions[] {
    this.looked += 1;
    const known = kept.find(id, marks);
    if (known !== undefined) return known;
    const version = this.knowledge.get(id);
    if (version === undefined) return [];
    const contributions = this.contribute({ version, ...marksOf(marks) }, selection);
    kept.keep(id, marks, contributions);
    return contributions;
  }

  private contribute(
    { version: { source, statements }, exceptions, ...mark }: Entry,
    selection: Selection,
  ): readonly Contributions[] {
    this.looked += statements.length;
    if (selection.source !== null && source !== selection.source) return [];
    const isSourceFound = selection.found === null || selection.found.sources.has(source);
    const onlyWaived = this.question.filters.onlyWaived === true;
    const withWaived = onlyWaived || this.question.filters.includeWaived === true;
    const writers = { open: new ContributionWriter(), waived: new ContributionWriter() };
    for (const statement of statements) {
      const own = exceptions.get(statement.advisory);
      const { waived } = own ?? mark;
      if (waived ? !withWaived : onlyWaived) continue;
      if (!this.isSelected(statement, isSourceFound, selection)) continue;
      const state = stateOf(statement, own, mark);
      const writer = waived ? writers.waived : writers.open;
      this.addTo(writer, { statement, source, isSourceFound, state, waived }, selection);
    }
    return [writers.open.written(false), writers.waived.written(true)].filter(({ rows }) => rows.length > 0);
  }

  /** When a statement, or one of its CVEs, is due on the hosts of the list, in milliseconds since 1970; NaN: at no known time. */
  private dueIn(statement: KnownStatement, cve: number, listed: ListedDue): number {
    return this.dues === null ? Number.NaN : this.dues.minuteOf(statement, cve, listed) * minuteMs;
  }

  /** Adds what a statement contributes to a key. A due date that depends on the list is left for later. */
  private add(
    writer: ContributionWriter,
    key: number,
    { statement, state, waived }: Open,
    cve: number,
  ): void {
    const isDue = !waived && state !== livepatched;
    const isLater = isDue && this.dues?.isByHost(statement, cve) === true;
    this.contribution.dueAt = isDue && !isLater ? this.dueIn(statement, cve, noListedDue) : Number.NaN;
    writer.add(key, this.contribution);
    if (isLater) writer.addLater({ key, statement, cve });
  }

  private isSelected(statement: KnownStatement, isSourceFound: boolean, selection: Selection): boolean {
    const { severity, group, cve, found } = selection;
    const { knownExploited } = this.question.filters;
    if (statement.severity > severity) return false;
    if (group !== null && statement.group !== group && !statement.folded.includes(group)) return false;
    if (cve !== null && !statement.cves.includes(cve)) return false;
    // Of a row of a CVE its own listing counts.
    if (
      knownExploited !== undefined &&
      this.question.groupBy !== 'cve' &&
      statement.knownExploited !== knownExploited
    )
      return false;
    if (found === null || isSourceFound || found.groups.has(statement.group)) return true;
    return statement.cves.some((one) => found.cves.has(one));
  }

  private addTo(writer: ContributionWriter, of: Open, { group, cve, found }: Selection): void {
    const { statement } = of;
    const { contribution } = this;
    contribution.state = of.state;
    contribution.severity = statement.severity;
    contribution.knownExploited = statement.knownExploited;
    contribution.knownAt = statement.knownAt;
    contribution.isOwn = true;
    if (this.question.groupBy === 'cve') {
      this.addCves(writer, of, { cve, found });
      return;
    }
    const due = cve === null ? -1 : statement.cves.indexOf(cve);
    contribution.epss = this.knowledge.epssOf(statement);
    switch (this.question.groupBy) {
      case 'package':
        this.add(writer, of.source, of, due);
        return;
      case 'host':
        this.add(writer, 0, of, due);
        return;
      case 'advisory':
        if (group === null || group === statement.group) this.add(writer, statement.group, of, due);
        contribution.isOwn = false;
        for (const erratum of statement.folded)
          if (group === null || group === erratum) this.add(writer, erratum, of, due);
        return;
      default:
        this.question.groupBy satisfies never;
    }
  }

  private addCves(
    writer: ContributionWriter,
    of: Open,
    { cve, found }: Pick<Selection, 'cve' | 'found'>,
  ): void {
    const { statement, isSourceFound } = of;
    const { contribution } = this;
    const { knownExploited: wanted } = this.question.filters;
    for (let place = 0; place < statement.cves.length; place += 1) {
      const one = statement.cves[place] ?? -1;
      if (cve !== null && one !== cve) continue;
      const facts = this.knowledge.cveFacts[one];
      const isExploited = facts?.knownExploited ?? false;
      if (wanted !== undefined && wanted !== isExploited) continue;
      if (found !== null && !isSourceFound && !found.groups.has(statement.group) && !found.cves.has(one))
        continue;
      contribution.knownExploited = isExploited;
      contribution.epss = facts?.epss ?? -1;
      this.add(writer, one, of, place);
    }
  }
}

/** The place of the state of a statement; see entryState of @plimsoll/advisories. */
function stateOf({ reason }: KnownStatement, own: Mark | undefined, { place }: Mark): number {
  if (own !== undefined && own.place < fixStates.length) return own.place;
  if (reason >= 0) return reason;
  return place < fixStates.length ? place : fixPublished;
}
