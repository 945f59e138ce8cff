import type { HostChanges } from '@plimsoll/contract';
import { LongTable } from '../../design/long-table.tsx';
import { Empty } from '../../design/states.tsx';
import { changedPackageColumns, closedColumns, openedColumns } from './change-columns.tsx';
import { Fold } from './fold.tsx';
import styles from './host.module.css';

/** What came and went, each list behind its number. */
export function ChangesLists({ changes }: { readonly changes: HostChanges }) {
  const { opened, closed, packages } = changes;
  if (opened.length + closed.length + packages.length === 0) {
    return <Empty title="Nothing changed">The same packages were installed, with the same findings.</Empty>;
  }
  return (
    <div className={styles['tight']}>
      {opened.length > 0 && (
        <Fold
          words={`${opened.length} vulnerable ${opened.length === 1 ? 'package' : 'packages'} with something new`}
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
          words={`${closed.length} vulnerable ${closed.length === 1 ? 'package' : 'packages'} with something closed`}
          content={() => (
            <LongTable
              label="Closed findings"
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
              label="Packages that changed"
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
