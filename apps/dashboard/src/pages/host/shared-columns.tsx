import type { VulnerablePackage } from '@plimsoll/contract';
import { severityOrder } from '@plimsoll/words';
import type { ReactNode } from 'react';
import { type Column, column } from '../../design/table/table-columns.ts';
import { SeverityBadge } from '../../words/badges.tsx';
import { TextCell } from './text-cell.tsx';
import { VersionStep } from './version-step.tsx';

/** The name of a package; first column of the host's lists. */
export function nameColumn<Row extends { readonly name: string }>(): Column<Row> {
  return column('package', 'Package', {
    width: '14rem',
    cell: ({ name }) => <TextCell text={name} />,
    sortBy: ({ name }) => name,
  });
}

/** Two versions, from and to. */
export function versionsColumn<Row>(
  header: string,
  step: (row: Row) => { readonly from: string | null; readonly to: string },
): Column<Row> {
  return { id: 'versions', header, width: '19rem', cell: (row): ReactNode => <VersionStep {...step(row)} /> };
}

/** The worst severity of a row; sorted worst first, rows without a severity last. */
export function severityColumn<Row extends { readonly severity: VulnerablePackage['severity'] | null }>(
  header: string,
): Column<Row> {
  return {
    id: 'severity',
    header,
    width: '9rem',
    cell: ({ severity }) => (severity === null ? '–' : <SeverityBadge severity={severity} />),
    sortBy: ({ severity }) => (severity === null ? severityOrder.length : severityOrder.indexOf(severity)),
  };
}
