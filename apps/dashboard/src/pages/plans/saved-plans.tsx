import type { SavedPlan } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/queries.ts';
import { groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';

const columns: readonly Column<SavedPlan>[] = [
  column('name', 'Name', {
    cell: ({ id, name }) => (
      <Link to="/plans/$id" params={{ id }}>
        {name === null ? 'Plan with hosts of others' : <ForeignText text={name} />}
      </Link>
    ),
    sortBy: ({ name }) => name ?? '',
  }),
  column('made', 'Made', {
    cell: ({ made_at }) => <Time at={made_at} />,
    sortBy: ({ made_at }) => made_at,
  }),
  column('by', 'By', {
    cell: ({ made_by }) => made_by !== null && <ForeignText text={made_by} />,
    sortBy: ({ made_by }) => made_by ?? '',
    from: 'medium',
  }),
  column('hosts', 'Hosts', {
    cell: ({ hosts }) => groupedNumber(hosts),
    sortBy: ({ hosts }) => hosts,
    align: 'end',
  }),
];

/** The list of saved plans. */
export function SavedPlans() {
  const query = useApi('/saved-plans');
  return (
    <Panel title="Saved plans" flush>
      <Loaded query={query} what="Loading the saved plans">
        {(plans) =>
          plans.length === 0 ? (
            <Empty title="No saved plans">Plans are kept here once they are saved.</Empty>
          ) : (
            <DataTable label="Saved plans" columns={columns} rows={plans} rowId={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}
