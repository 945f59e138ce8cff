import type { FindingGrouping, FleetFinding } from '@plimsoll/contract';
import { createContext, useContext } from 'react';
import { Button } from '../../design/button.tsx';
import { amountInWords } from '../../design/number-words.ts';
import { SelectRow, selectColumnOf } from '../../design/table/select-row.tsx';
import { noSelection, type Selection } from '../../design/table/selection.ts';
import { WaiveButton } from '../waivers/new/waive-button.tsx';
import { coversOf, type WaiverSubject } from '../waivers/new/waiver-subject.ts';
import styles from './findings.module.css';
import { type FindingsSearch, useFindingsSearch } from './findings-search.ts';

/** Most rows that can be selected: as many names as one waiver may have. */
export const mostSelected = 500;

/** Provides the selection to the rows. */
export const SelectionContext = createContext<Selection<FleetFinding>>(noSelection());

/** The column that selects a row. */
export const selectColumn = selectColumnOf<FleetFinding>((row) => <SelectFinding row={row} />);

function SelectFinding({ row }: { readonly row: FleetFinding }) {
  const name = row.title === '' ? row.key : `${row.key} ${row.title}`;
  return <SelectRow selection={useContext(SelectionContext)} row={row} id={row.key} name={name} />;
}

/** The number of selected rows, and what can be done with them; nothing without any. */
export function SelectedFindings({ grouping }: { readonly grouping: FindingGrouping }) {
  const { rows, set } = useContext(SelectionContext);
  const [search] = useFindingsSearch();
  if (rows.length === 0) return null;
  const subject = subjectOfRows(rows, grouping, search);
  return (
    <div className={styles['chosen']}>
      <span role="status">{amountInWords(rows.length, 'row', 'rows')} selected</span>
      {coversOf(subject).length > 0 ? (
        <WaiveButton subject={subject} onSaved={() => set([])} />
      ) : (
        <span>
          To accept a risk on these hosts, filter the list by an advisory, a CVE or a source package first.
        </span>
      )}
      <Button look="quiet" onPress={() => set([])}>
        Clear selection
      </Button>
    </div>
  );
}

type Row = Pick<FleetFinding, 'key' | 'title'>;

/**
 * What can be accepted of selected rows: what they are about, and on the hosts of rows of hosts what the filters of the
 * list name. Filters by tag are offered as tags.
 */
function subjectOfRows(
  rows: readonly Row[],
  grouping: FindingGrouping,
  { advisory, cve, package: source, tag }: FindingsSearch,
): WaiverSubject {
  const keys = rows.map(({ key }) => key);
  const of = (own: FindingGrouping, filtered: string | undefined) =>
    grouping === own ? keys : grouping === 'host' && filtered !== undefined ? [filtered] : [];
  return {
    advisories: of('advisory', advisory),
    cves: of('cve', cve),
    packages: of('package', source),
    hosts: grouping === 'host' ? rows.map(({ key, title }) => ({ id: key, name: title })) : [],
    tags: tag === undefined ? [] : [tag],
  };
}
