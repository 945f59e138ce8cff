import type { VulnerablePackage } from '@plimsoll/contract';
import { Panel } from '../../../design/page/page.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import styles from '../host.module.css';
import { findingColumns } from './finding-columns.tsx';
import { findingId } from './why-button.tsx';

/** The packages that move with the kernel and have open advisories; other tools list them as findings. */
export function KernelCompanions({ rows }: { readonly rows: readonly VulnerablePackage[] }) {
  if (rows.length === 0) return null;
  return (
    <Panel title="Packages that move with the kernel">
      <p className={styles['muted']}>
        These are built from the source of the kernel. An update of the kernel updates them, and the findings
        of the kernel cover them. They are in no count; other tools list them as vulnerable.
      </p>
      <LongTable
        label="Packages that move with the kernel"
        columns={findingColumns}
        rows={rows}
        rowId={findingId}
      />
    </Panel>
  );
}
