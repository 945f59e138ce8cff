import { severities } from '@plimsoll/model';
import type { KnownFindings } from './finding-knowledge.ts';
import type { FindingFilters } from './finding-query.ts';
import type { Places } from './places.ts';

/** The statements that filters select. */
export interface Selection {
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
export function selectionOf(
  knowledge: KnownFindings,
  { severity, advisory, cve, package: source, q }: FindingFilters,
): Selection | null {
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
