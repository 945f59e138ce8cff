import type { AdvisoryDetail } from '@plimsoll/contract';
import { severityOrder } from '@plimsoll/words';
import { Empty } from '../../design/states.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { FixBadge, SeverityBadge } from '../../words/badges.tsx';
import styles from './advisories.module.css';

type RecordPackage = AdvisoryDetail['records'][number]['packages'][number];

/** The packages of a feed's record, with the fixed version for each release. */
export function RecordPackages({ packages }: { readonly packages: readonly RecordPackage[] }) {
  if (packages.length === 0) {
    return <Empty title="This advisory lists no packages" />;
  }
  return <LongTable label="Packages and fixed versions" columns={columns} rows={packages} rowId={rowId} />;
}

const columns: readonly Column<RecordPackage>[] = [
  column('release', 'Release', {
    width: '10rem',
    sortBy: ({ release }) => release,
    cell: ({ release }) => <ForeignText text={release} />,
  }),
  column('name', 'Package', {
    sortBy: ({ name }) => name,
    cell: ({ name }) => (
      <span className={styles['short']}>
        <ForeignText text={name} oneLine mono />
      </span>
    ),
  }),
  column('fixed', 'Fixed in', {
    cell: (entry) => <Fix entry={entry} />,
  }),
  column('severity', 'Severity', {
    width: '8rem',
    sortBy: ({ severity }) => severityOrder.indexOf(severity),
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  }),
  column('builds', 'Builds', {
    from: 'wide',
    cell: (entry) => <ForeignText text={buildsOf(entry)} />,
  }),
];

function Fix({ entry }: { readonly entry: RecordPackage }) {
  const { fixed_version, unfixed_reason, unfixed_detail, service } = entry;
  if (fixed_version === null) {
    return (
      <span className={styles['badges']}>
        <FixBadge state={unfixed_reason ?? 'no_fix'} />
        {unfixed_detail !== '' && <ForeignText text={unfixed_detail} />}
      </span>
    );
  }
  return (
    <span className={styles['badges']}>
      <ForeignText text={fixed_version} mono />
      {service !== null && (
        <span className={styles['muted']}>
          with <ForeignText text={service} />
        </span>
      )}
    </span>
  );
}

function buildsOf({ architectures, module, line }: RecordPackage): string {
  const parts = [
    architectures.length === 0 ? 'all architectures' : architectures.join(', '),
    ...(module === null ? [] : [module === '' ? 'not in a module' : `module ${module}`]),
    ...(line === null ? [] : [`line ${line}`]),
  ];
  return parts.join(' · ');
}

function rowId({
  release,
  name,
  module,
  line,
  architectures,
  fixed_version,
  service,
}: RecordPackage): string {
  return JSON.stringify([release, name, module, line, architectures, fixed_version, service]);
}
