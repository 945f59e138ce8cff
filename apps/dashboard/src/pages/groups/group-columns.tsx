import type { Group } from '@plimsoll/contract';
import { gapWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { groupedNumber } from '../../design/number-words.ts';
import { Unseen } from '../../design/states.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { filterSpecs, valueWords } from '../hosts/filters/filter-specs.ts';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import { approvedOf } from './approved-of-group.ts';
import { GroupActions } from './group-actions.tsx';
import styles from './groups.module.css';
import { unseenGroup, useIsUnseen } from './unseen-group.ts';

/** The filters of a group in words: "Tag: web, Reboot: needed". */
export function filterInWords(filter: Readonly<Record<string, string>>): string {
  const words = Object.entries(filter).map(([name, value]) => {
    const spec = filterSpecs.find((one) => one.name === name);
    if (name === 'q') return `search: ${printable(value, 60)}`;
    return spec === undefined
      ? `${name}: ${printable(value, 60)}`
      : `${spec.label}: ${printable(valueWords(spec, value), 60)}`;
  });
  return words.length === 0 ? 'all hosts' : words.join(', ');
}

/** The number of hosts of which a number of the group is not known. */
type UnknownField = keyof typeof unknownFilters;

/** The filters that select these hosts. */
const unknownFilters = {
  findings_unknown_hosts: { findings_known: 'false' },
  reboot_unknown_hosts: { reboot_state: 'unknown' },
} as const satisfies Readonly<Record<string, HostsSearch>>;

interface GroupNumberProps {
  readonly group: Group;
  readonly number: number | null;
  /** The filter that the number adds to those of the group. */
  readonly added: HostsSearch;
  /** The number of hosts that are possibly missing in `number`. */
  readonly missing: number;
  /** The filter that selects these hosts. */
  readonly unknown: HostsSearch;
}

/** A number of hosts of a group, linked to their list. `?`: not known. `+`: at least. */
function GroupNumber({ group, number, added, missing, unknown }: GroupNumberProps) {
  const isUnseen = useIsUnseen();
  if (number === null) return <span title="A filter of this group no longer exists.">?</span>;
  if (isUnseen(group)) return <span title={unseenGroup.meaning}>{unseenGroup.shown}</span>;
  const words = missing === 0 ? undefined : `Not known of ${groupedNumber(missing)} hosts of the group.`;
  if (number === 0 && missing > 0)
    return (
      <Link to="/hosts" search={{ ...approvedOf(group), ...unknown }} title={words}>
        ?<Unseen> known, not known of {groupedNumber(missing)}</Unseen>
      </Link>
    );
  const shown = `${groupedNumber(number)}${missing > 0 ? '+' : ''}`;
  // The list takes one value of each filter: with another value of the group's own filter it would show other hosts.
  const isOwnFilter = Object.entries(added).some(
    ([name, value]) => group.filter[name] !== undefined && group.filter[name] !== value,
  );
  if (isOwnFilter) return <span title={words}>{shown}</span>;
  return (
    <Link to="/hosts" search={{ ...approvedOf(group), ...added }} title={words}>
      {shown}
    </Link>
  );
}

type NumberField =
  | 'hosts'
  | 'pending_hosts'
  | 'critical_hosts'
  | 'known_exploited_hosts'
  | 'reboot_hosts'
  | 'stale_hosts'
  | 'unreported_hosts';

function numberColumn(
  id: NumberField,
  header: string,
  {
    added = {},
    missing,
    from,
  }: { readonly added?: HostsSearch; readonly missing?: UnknownField; readonly from?: 'medium' | 'widest' },
): Column<Group> {
  return {
    id,
    header,
    cell: (group) => (
      <GroupNumber
        group={group}
        number={group[id]}
        added={added}
        missing={missing === undefined ? 0 : (group[missing] ?? 0)}
        unknown={missing === undefined ? {} : unknownFilters[missing]}
      />
    ),
    sortBy: (group) => group[id] ?? -1,
    align: 'end',
    ...(from !== undefined && { from }),
  };
}

function nameColumn(isPage: boolean): Column<Group> {
  return column('name', 'Group', {
    cell: ({ name, filter }) => (
      <div className={styles['name']}>
        <Link to="/hosts" search={approvedOf({ filter })}>
          <ForeignText text={name} />
        </Link>
        <br />
        <small>{filterInWords(filter)}</small>
        {isPage && (
          <small className={styles['whole']}>
            <Link to="/odd-ones-out" search={filter}>
              Odd ones out
            </Link>
          </small>
        )}
      </div>
    ),
    sortBy: ({ name }) => name,
  });
}

const numberColumns: readonly Column<Group>[] = [
  numberColumn('hosts', 'Hosts', {}),
  numberColumn('critical_hosts', 'With critical findings', {
    added: { finding_severity: 'critical' },
    missing: 'findings_unknown_hosts',
  }),
  numberColumn('known_exploited_hosts', 'Known exploited', {
    added: { known_exploited: 'true' },
    missing: 'findings_unknown_hosts',
    from: 'medium',
  }),
  numberColumn('reboot_hosts', 'To reboot', {
    added: { reboot_state: 'needed' },
    missing: 'reboot_unknown_hosts',
    from: 'medium',
  }),
  numberColumn('stale_hosts', gapWords.report_outdated.words, {
    added: { gap: 'report_outdated' },
    from: 'medium',
  }),
  numberColumn('unreported_hosts', gapWords.no_report.words, { added: { gap: 'no_report' }, from: 'medium' }),
];

/** What the fleet page shows of each group. */
export const groupNumberColumns: readonly Column<Group>[] = [nameColumn(false), ...numberColumns];

/** Columns of the page of groups. */
export const groupColumns: readonly Column<Group>[] = [
  nameColumn(true),
  ...numberColumns,
  numberColumn('pending_hosts', 'To approve', { added: { approval_status: 'pending' }, from: 'widest' }),
  column('shared', 'Shown to', {
    cell: ({ shared, owner, is_own }) => (
      <>
        {shared ? 'everybody' : 'you'}
        {!is_own && (
          <>
            , by <ForeignText text={owner ?? 'a deleted user'} />
          </>
        )}
      </>
    ),
    from: 'widest',
  }),
  column('actions', 'Actions', {
    hideHeader: true,
    cell: (group) => <GroupActions group={group} />,
  }),
];
