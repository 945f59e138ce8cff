import { setImmediate as nextTurn } from 'node:timers/promises';
import { fixStates, severities } from '@plimsoll/model';
import { readFindingList } from '../interning/finding-list.ts';
import type { FindingKnowledge, KnownStatement, KnownVersion } from './finding-knowledge.ts';
import type { FindingFilters, FindingGrouping, FindingRow } from './finding-query.ts';
import { type Contribution, type CountedHosts, FindingTotals } from './finding-totals.ts';
import type { Places } from './places.ts';
import type { DueProfile, ListedDue, TermsDues } from './statement-due.ts';

/** A finding list and hosts of a selection that have it, with equal terms of due dates. */
export interface ListInUse {
  readonly bytes: Uint8Array;
  /** Null: no policy of due dates is set. */
  readonly dues: TermsDues | null;
  readonly hosts: readonly HostInUse[];
}

/** A host of a selection. */
export interface HostInUse {
  readonly id: string;
  readonly name: string;
  /** Its names in lower case. */
  readonly searched: string;
  /** In milliseconds since 1970. */
  readonly firstSnapshotAt: number;
  readonly profile: DueProfile;
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

/** Groups the findings of lists into rows, in no particular order. */
export async function groupFindings(
  knowledge: FindingKnowledge,
  lists: Iterable<ListInUse>,
  question: GroupQuestion,
): Promise<readonly FindingRow[]> {
  const { groupBy, filters } = question;
  const selection = selectionOf(knowledge, question);
  if (selection === null) return [];
  const counter = new ListCounter(knowledge, question, selection);
  const rows: FindingRow[] = [];
  let before = 0;
  for (const list of lists) {
    if (groupBy === 'host') {
      for (const row of counter.hostRows(list)) rows.push(row);
    } else counter.count(list);
    if (counter.looked - before < statementsPerTurn) continue;
    before = counter.looked;
    await nextTurn();
  }
  const all = groupBy === 'host' ? rows : counter.rows();
  const { firstSeenBefore } = filters;
  if (firstSeenBefore === undefined) return all;
  return all.filter(({ firstSeenAt }) => firstSeenAt < firstSeenBefore.getTime());
}

/** The statements that filters select. */
interface Selection {
  /** The highest place in `severities`. */
  readonly severity: number;
  readonly group: number | null;
  readonly cve: number | null;
  readonly source: number | null;
  /** What contains the searched text; null: everything counts. */
  readonly found: {
    readonly groups: ReadonlySet<number>;
    readonly cves: ReadonlySet<number>;
    readonly sources: ReadonlySet<number>;
  } | null;
}

/** Null if nothing has a name that a filter requires. */
function selectionOf(
  knowledge: FindingKnowledge,
  { filters }: Pick<GroupQuestion, 'filters'>,
): Selection | null {
  const { severity, advisory, cve, package: source, q } = filters;
  const places = [
    [knowledge.groups, advisory],
    [knowledge.cves, cve],
    [knowledge.sources, source],
  ] as const;
  const named: (number | null)[] = [];
  for (const [table, name] of places) {
    const place = name === undefined ? null : table.find(name);
    if (name !== undefined && place === null) return null;
    named.push(place);
  }
  const [group = null, ofCve = null, ofSource = null] = named;
  const part = q?.toLowerCase();
  return {
    severity: severity === undefined ? severities.length : severities.indexOf(severity),
    group,
    cve: ofCve,
    source: ofSource,
    found:
      part === undefined
        ? null
        : {
            groups: placesWith(knowledge.groups, part, (place) => knowledge.groupData[place]?.title ?? ''),
            cves: placesWith(knowledge.cves, part),
            sources: placesWith(knowledge.sources, part),
          },
  };
}

function placesWith(
  places: Places,
  part: string,
  titleOf: (place: number) => string = () => '',
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [place, key] of places.all().entries())
    if (key.toLowerCase().includes(part) || titleOf(place).toLowerCase().includes(part)) found.add(place);
  return found;
}

interface Mark {
  /** The place of a state in `fixStates`, or above all of them. */
  readonly place: number;
  readonly waived: boolean;
}

/** The mark of a package version. */
interface VersionMark extends Mark, ListedDue {}

/** A statement that is open on a package version of a list. */
interface Open {
  readonly statement: KnownStatement;
  readonly source: number;
  readonly isSourceFound: boolean;
  readonly state: number;
  readonly waived: boolean;
  readonly listed: ListedDue;
}

/** Counts one finding list after the other. */
class ListCounter {
  /** The number of statements that were looked at. */
  looked = 0;
  private readonly knowledge: FindingKnowledge;
  private readonly question: GroupQuestion;
  private readonly selection: Selection;
  private readonly totals: FindingTotals;
  private readonly counted: CountedHosts;
  /** Of the list that is counted. */
  private dues: TermsDues | null = null;
  /** Used again for each statement. */
  private readonly contribution: Contribution = {
    state: 0,
    severity: 0,
    knownExploited: false,
    epss: -1,
    dueAt: Number.NaN,
    knownAt: 0,
    isOwn: true,
    waived: false,
  };

  constructor(knowledge: FindingKnowledge, question: GroupQuestion, selection: Selection) {
    const { groupBy, filters, nowMs } = question;
    this.knowledge = knowledge;
    this.question = question;
    this.selection = selection;
    const sizes = { advisory: knowledge.groups, cve: knowledge.cves, package: knowledge.sources, host: null };
    this.totals = new FindingTotals(sizes[groupBy]?.size ?? 0);
    this.counted = {
      state: filters.fixState === undefined ? -1 : fixStates.indexOf(filters.fixState),
      overdueOnly: filters.overdue === true,
      nowMs,
    };
  }

  /** Adds a list to the totals. */
  count({ bytes, hosts, dues }: ListInUse): void {
    this.dues = dues;
    this.totals.begin();
    this.read(bytes, this.totals, this.selection);
    const first = hosts.reduce(
      (least, host) => Math.min(least, host.firstSnapshotAt),
      Number.POSITIVE_INFINITY,
    );
    this.totals.end(hosts.length, first, this.counted);
  }

  /** The rows of the hosts that have a list. */
  hostRows({ bytes, hosts, dues }: ListInUse): readonly FindingRow[] {
    this.dues = dues;
    const part = this.question.filters.q?.toLowerCase();
    const isNamed = (host: HostInUse): boolean => part !== undefined && host.searched.includes(part);
    const named = hosts.filter(isNamed);
    const others = hosts.filter((host) => !isNamed(host));
    // A host whose own name contains the text has all of its findings.
    return [
      ...this.rowsOfAlike(bytes, named, { ...this.selection, found: null }),
      ...this.rowsOfAlike(bytes, others, this.selection),
    ];
  }

  private rowsOfAlike(
    bytes: Uint8Array,
    hosts: readonly HostInUse[],
    selection: Selection,
  ): readonly FindingRow[] {
    if (hosts.length === 0) return [];
    const totals = new FindingTotals(1);
    totals.begin();
    this.read(bytes, totals, selection);
    totals.end(1, 0, this.counted);
    const row = totals.rowOf(0, { key: '', title: '' });
    if (row === null) return [];
    return hosts.map(({ id, name, firstSnapshotAt }) => ({
      ...row,
      key: id,
      title: name,
      firstSeenAt: Math.max(row.firstSeenAt, firstSnapshotAt),
    }));
  }

  /** The rows of all keys with hosts. */
  rows(): readonly FindingRow[] {
    const { groups, cves, sources, groupData } = this.knowledge;
    const rows: FindingRow[] = [];
    const titles = this.question.groupBy === 'cve' ? this.cveTitles() : null;
    for (let key = 0; key < this.totals.size; key += 1) {
      const names =
        titles !== null
          ? { key: cves.at(key), title: titles.get(key) ?? '' }
          : this.question.groupBy === 'package'
            ? { key: sources.at(key), title: sources.at(key) }
            : { key: groups.at(key), title: groupData[key]?.title ?? '' };
      const row = this.totals.rowOf(key, names);
      if (row !== null) rows.push(row);
    }
    return rows;
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

  private read(bytes: Uint8Array, totals: FindingTotals, selection: Selection): void {
    let version: KnownVersion | undefined;
    let mark: VersionMark | null = null;
    const exceptions = new Map<number, Mark>();
    const flush = (): void => {
      if (version !== undefined && mark !== null) this.take(version, mark, exceptions, totals, selection);
    };
    readFindingList(bytes, {
      version: (id, place, waived, dueMinute, installedMinute) => {
        flush();
        version = this.knowledge.get(id);
        mark = { place, waived, dueMinute, installedMinute };
        if (exceptions.size > 0) exceptions.clear();
      },
      exception: (advisory, place, waived) => {
        exceptions.set(advisory, { place, waived });
      },
    });
    flush();
  }

  private take(
    version: KnownVersion,
    mark: VersionMark,
    exceptions: ReadonlyMap<number, Mark>,
    totals: FindingTotals,
    selection: Selection,
  ): void {
    const { source, statements } = version;
    this.looked += statements.length + 1;
    if (selection.source !== null && source !== selection.source) return;
    const isSourceFound = selection.found === null || selection.found.sources.has(source);
    const onlyWaived = this.question.filters.onlyWaived === true;
    const withWaived = onlyWaived || this.question.filters.includeWaived === true;
    for (const statement of statements) {
      const own = exceptions.get(statement.advisory);
      const { waived } = own ?? mark;
      if (waived ? !withWaived : onlyWaived) continue;
      if (!this.isSelected(statement, isSourceFound, selection)) continue;
      const state = stateOf(statement, own, mark);
      this.addTo(totals, { statement, source, isSourceFound, state, waived, listed: mark }, selection);
    }
  }

  /** When a statement, or one of its CVEs, is due on the hosts of the list, in milliseconds since 1970; NaN: at no known time. */
  private dueAt({ statement, state, waived, listed }: Open, cve: number): number {
    if (this.dues === null || waived || state === livepatched) return Number.NaN;
    return this.dues.minuteOf(statement, cve, listed) * minuteMs;
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

  private addTo(totals: FindingTotals, of: Open, { group, cve, found }: Selection): void {
    const { statement } = of;
    const said = this.contribution;
    said.state = of.state;
    said.waived = of.waived;
    said.severity = statement.severity;
    said.knownExploited = statement.knownExploited;
    said.knownAt = statement.knownAt;
    said.isOwn = true;
    if (this.question.groupBy === 'cve') {
      this.addCves(totals, of, { cve, found });
      return;
    }
    said.dueAt = this.dueAt(of, cve === null ? -1 : statement.cves.indexOf(cve));
    said.epss = this.knowledge.epssOf(statement);
    switch (this.question.groupBy) {
      case 'package':
        totals.add(of.source, said);
        return;
      case 'host':
        totals.add(0, said);
        return;
      case 'advisory':
        if (group === null || group === statement.group) totals.add(statement.group, said);
        said.isOwn = false;
        for (const erratum of statement.folded)
          if (group === null || group === erratum) totals.add(erratum, said);
        return;
      default:
        this.question.groupBy satisfies never;
    }
  }

  private addCves(totals: FindingTotals, of: Open, { cve, found }: Pick<Selection, 'cve' | 'found'>): void {
    const { statement, isSourceFound } = of;
    const said = this.contribution;
    const { knownExploited: wanted } = this.question.filters;
    for (let place = 0; place < statement.cves.length; place += 1) {
      const one = statement.cves[place] ?? -1;
      if (cve !== null && one !== cve) continue;
      const facts = this.knowledge.cveFacts[one];
      const isExploited = facts?.knownExploited ?? false;
      if (wanted !== undefined && wanted !== isExploited) continue;
      if (found !== null && !isSourceFound && !found.groups.has(statement.group) && !found.cves.has(one))
        continue;
      said.knownExploited = isExploited;
      said.epss = facts?.epss ?? -1;
      said.dueAt = this.dueAt(of, place);
      totals.add(one, said);
    }
  }
}

/** The place of the state of a statement; see entryState of @plimsoll/advisories. */
function stateOf({ reason }: KnownStatement, own: Mark | undefined, { place }: Mark): number {
  if (own !== undefined && own.place < fixStates.length) return own.place;
  if (reason >= 0) return reason;
  return place < fixStates.length ? place : fixPublished;
}
