import type { Group } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { groupedNumber } from '../../design/number-words.ts';
import type { Column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { filterSpecs, valueWords } from '../hosts/filters/filter-specs.ts';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import { GroupActions } from './group-actions.tsx';

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

interface GroupNumberProps {
  readonly group: Group;
  readonly number: number | null;
  /** The filter that the number adds to those of the group. */
  readonly added: HostsSearch;
}

/** A number of hosts of a group, linked to their list. `?`: a filter of the group no longer exists. */
function GroupNumber({ group, number, added }: GroupNumberProps) {
  if (number === null) return <span title="A filter of this group no longer exists.">?</span>;
  // A group that asks for something else has none of these; its own filter must not be replaced.
  const isContradiction = Object.entries(added).some(
    ([name, value]) => group.filter[name] !== undefined && group.filter[name] !== value,
  );
  if (isContradiction) return <>0</>;
  return (
    <Link to="/hosts" search={{ ...group.filter, ...added }}>
      {groupedNumber(number)}
    </Link>
  );
}

type NumberField = 'hosts' | 'critical_hosts' | 'known_exploited_hosts' | 'reboot_hosts' | 'stale_hosts';

function numberColumn(
  id: NumberField,
  header: string,
  added: HostsSearch,
  from?: 'medium' | 'wide',
): Column<Group> {
  return {
    id,
    header,
    cell: (group) => <GroupNumber group={group} number={group[id]} added={added} />,
    sortBy: (group) => group[id] ?? -1,
    align: 'end',
    ...(from !== undefined && { from }),
  };
}

/** What the fleet page and the page of groups show of each group. */
export const groupNumberColumns: readonly Column<Group>[] = [
  {
    id: 'name',
    header: 'Group',
    cell: ({ name, filter }) => (
      <>
        <Link to="/hosts" search={filter}>
          <ForeignText text={name} />
        </Link>
        <br />
        <small>{filterInWords(filter)}</small>
      </>
    ),
    sortBy: ({ name }) => name,
  },
  numberColumn('hosts', 'Hosts', {}),
  numberColumn('critical_hosts', 'Critical findings', { finding_severity: 'critical' }),
  numberColumn('known_exploited_hosts', 'Known exploited', { known_exploited: 'true' }, 'medium'),
  numberColumn('reboot_hosts', 'To reboot', { reboot_state: 'needed' }, 'medium'),
  numberColumn('stale_hosts', 'Stale', { status: 'stale' }, 'medium'),
];

/** Columns of the page of groups. */
export const groupColumns: readonly Column<Group>[] = [
  ...groupNumberColumns,
  {
    id: 'shared',
    header: 'Shown to',
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
    from: 'wide',
  },
  {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    cell: (group) => <GroupActions group={group} />,
  },
];
