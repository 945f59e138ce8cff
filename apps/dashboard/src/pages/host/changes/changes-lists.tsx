import type { HostChanges } from '@plimsoll/contract';
import { Empty } from '../../../design/states.tsx';
import { FoldedTable } from '../folded-table.tsx';
import styles from '../host.module.css';
import { changedPackageColumns, closedColumns, openedColumns } from './change-columns.tsx';

/** New findings, resolved findings and changed packages, each folded behind its number. */
export function ChangesLists({ changes: { opened, closed, packages } }: { readonly changes: HostChanges }) {
  if (opened.length + closed.length + packages.length === 0) {
    return (
      <Empty title="No change is listed">
        The same packages are installed, with the same findings. Negligible ones are not compared.
      </Empty>
    );
  }
  return (
    <div className={styles['tight']}>
      <FoldedTable
        label="New findings"
        words={['package with new vulnerabilities', 'packages with new vulnerabilities']}
        columns={openedColumns}
        rows={opened}
        rowId={({ name, architecture }) => `${name}:${architecture}`}
      />
      <FoldedTable
        label="Resolved findings"
        words={['package with resolved vulnerabilities', 'packages with resolved vulnerabilities']}
        columns={closedColumns}
        rows={closed}
        rowId={({ name, architecture }) => `${name}:${architecture}`}
      />
      <FoldedTable
        label="Changed packages"
        words={['package changed', 'packages changed']}
        columns={changedPackageColumns}
        rows={packages}
        rowId={({ name, architecture, from_version, to_version }) =>
          `${name}:${architecture}:${from_version}:${to_version}`
        }
      />
    </div>
  );
}
