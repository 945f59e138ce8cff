import type { HostChanges } from '@plimsoll/contract';
import { Empty } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { Fold } from '../fold.tsx';
import styles from '../host.module.css';
import { changedPackageColumns, closedColumns, openedColumns } from './change-columns.tsx';

/** New findings, resolved findings and changed packages, each folded behind its number. */
export function ChangesLists({ changes }: { readonly changes: HostChanges }) {
  const { opened, closed, packages } = changes;
  if (opened.length + closed.length + packages.length === 0) {
    return <Empty title="Nothing changed">The same packages are installed, with the same findings.</Empty>;
  }
  return (
    <div className={styles['tight']}>
      {opened.length > 0 && (
        <Fold
          words={`${opened.length} ${opened.length === 1 ? 'package' : 'packages'} with new vulnerabilities`}
          content={() => (
            <LongTable
              label="New findings"
              columns={openedColumns}
              rows={opened}
              rowId={({ name, architecture }) => `${name}:${architecture}`}
            />
          )}
        />
      )}
      {closed.length > 0 && (
        <Fold
          words={`${closed.length} ${closed.length === 1 ? 'package' : 'packages'} with resolved vulnerabilities`}
          content={() => (
            <LongTable
              label="Resolved findings"
              columns={closedColumns}
              rows={closed}
              rowId={({ name, architecture }) => `${name}:${architecture}`}
            />
          )}
        />
      )}
      {packages.length > 0 && (
        <Fold
          words={`${packages.length} ${packages.length === 1 ? 'package' : 'packages'} changed`}
          content={() => (
            <LongTable
              label="Changed packages"
              columns={changedPackageColumns}
              rows={packages}
              rowId={({ name, architecture, from_version, to_version }) =>
                `${name}:${architecture}:${from_version}:${to_version}`
              }
            />
          )}
        />
      )}
    </div>
  );
}
