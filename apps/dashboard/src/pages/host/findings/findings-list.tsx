import type { HostDetail, VulnerablePackage } from '@plimsoll/contract';
import { createContext, useContext } from 'react';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { LongTable } from '../../../design/table/long-table.tsx';
import { SelectRow, selectColumnOf } from '../../../design/table/select-row.tsx';
import { noSelection, type Selection, useRowSelection } from '../../../design/table/selection.ts';
import type { Column } from '../../../design/table/table-columns.ts';
import { WaiveButton } from '../../waivers/new/waive-button.tsx';
import styles from '../host.module.css';
import { findingColumns } from './finding-columns.tsx';
import { subjectOfFindings } from './finding-subject.ts';
import { findingId } from './why-button.tsx';

const mostSelected = 200;
const SelectionContext = createContext<Selection<VulnerablePackage>>(noSelection());

interface FindingsListProps {
  readonly host: HostDetail;
  readonly rows: readonly VulnerablePackage[];
  /** Whether the list shows a past time: then nothing can be accepted from it. */
  readonly isPast: boolean;
}

/** The findings of a host; operators can select some and accept their risk. */
export function FindingsList({ host, rows, isPast }: FindingsListProps) {
  const selection = useRowSelection<VulnerablePackage>(host.id, findingId, mostSelected);
  const mayAccept = useMay('operator') && !isPast;
  const chosen = rows.filter((row) => selection.has(findingId(row)));
  return (
    <SelectionContext value={selection}>
      {mayAccept && chosen.length > 0 && (
        <div className={styles['chosen']}>
          <span role="status">{amountInWords(chosen.length, 'finding', 'findings')} selected</span>
          <WaiveButton subject={subjectOfFindings(host, chosen)} onSaved={() => selection.set([])} />
          <Button look="quiet" onPress={() => selection.set([])}>
            Clear selection
          </Button>
        </div>
      )}
      <LongTable
        label="Vulnerable packages"
        columns={mayAccept ? selectableColumns : findingColumns}
        rows={rows}
        rowId={findingId}
      />
    </SelectionContext>
  );
}

const selectableColumns: readonly Column<VulnerablePackage>[] = [
  selectColumnOf((row) => <SelectFinding row={row} />),
  ...findingColumns,
];

function SelectFinding({ row }: { readonly row: VulnerablePackage }) {
  return <SelectRow selection={useContext(SelectionContext)} row={row} id={findingId(row)} name={row.name} />;
}
