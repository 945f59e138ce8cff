import type { UpgradablePackage } from '@plimsoll/contract';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { AdvisoryLinks } from '../advisory-links.tsx';
import styles from '../host.module.css';
import { severityColumn } from '../shared-columns.tsx';
import { TextCell } from '../text-cell.tsx';
import { VersionStep } from '../version-step.tsx';

/** Columns of a list of updates. */
export const updateColumns: readonly Column<UpgradablePackage>[] = [
  column('package', 'Package, installed → offered', {
    cell: ({ name, installed_version, candidate_version }) => (
      <span className={styles['tight']}>
        <ForeignText text={name} oneLine />
        <VersionStep from={installed_version} to={candidate_version} />
      </span>
    ),
    sortBy: ({ name }) => name,
  }),
  column('kind', 'Package manager', {
    width: '10rem',
    cell: (row) => <Kind update={row} />,
    sortBy: ({ is_security, held }) => (is_security ? 0 : 2) + (held ? 1 : 0),
  }),
  severityColumn('Fixes'),
  column('advisories', 'Advisories', {
    width: '14rem',
    from: 'medium',
    cell: ({ advisory_ids }) => <AdvisoryLinks ids={advisory_ids} />,
    sortBy: ({ advisory_ids }) => -advisory_ids.length,
  }),
  column('repository', 'Repository', {
    width: '14rem',
    from: 'wide',
    cell: ({ repository }) => <TextCell text={repository} />,
    sortBy: ({ repository }) => repository,
  }),
];

/** Row id of an update. */
export function updateId({ name, architecture, candidate_version }: UpgradablePackage): string {
  return `${name}:${architecture}:${candidate_version}`;
}

function Kind({ update: { is_security, held, phased, change } }: { readonly update: UpgradablePackage }) {
  return (
    <span className={styles['inline']}>
      {is_security ? <Badge tone="important">Security</Badge> : 'Not marked as security'}
      {held && (
        <Badge tone="moderate" title="Pinned or excluded on the host: an upgrade leaves it out.">
          Held
        </Badge>
      )}
      {phased && (
        <Badge tone="neutral" title="Its publisher offers it to other hosts first, and to this one later.">
          Phased
        </Badge>
      )}
      {change === 'unknown' && (
        <Badge
          tone="moderate"
          title="The two versions cannot be compared. It is counted, because it may be an update."
        >
          Not comparable
        </Badge>
      )}
    </span>
  );
}
