import type { UpgradePlan } from '@plimsoll/contract';
import { leftOutWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExploitedBadge, FixBadge } from '../../../words/badges.tsx';
import { AdvisoryLinks } from '../advisory-links.tsx';
import styles from '../host.module.css';
import { nameColumn, severityColumn, versionsColumn } from '../shared-columns.tsx';
import { TextCell } from '../text-cell.tsx';

type Planned = UpgradePlan['packages'][number];
type Closes = UpgradePlan['closes'][number];
type Stays = UpgradePlan['stays_open'][number];
type LeftOut = UpgradePlan['left_out'][number];

/** Columns of the packages that a plan changes. */
export const plannedColumns: readonly Column<Planned>[] = [
  nameColumn(),
  versionsColumn('From → to', (row) => ({ from: row.from_version, to: row.to_version })),
  severityColumn('Closes'),
  column('advisories', 'Advisories', {
    width: '14rem',
    from: 'medium',
    cell: ({ advisory_ids }) => <AdvisoryLinks ids={advisory_ids} />,
  }),
  column('repository', 'Repository', {
    width: '14rem',
    from: 'wide',
    cell: ({ repository }) => <TextCell text={repository} />,
  }),
];

/** Columns of the packages that a plan keeps. */
export const leftOutColumns: readonly Column<LeftOut>[] = [
  nameColumn(),
  versionsColumn('From → to', (row) => ({ from: row.from_version, to: row.to_version })),
  severityColumn('Severity'),
  column('reason', 'Why', {
    width: '18rem',
    cell: ({ reason }) => <span className={styles['text']}>{leftOutWords[reason]}</span>,
  }),
];

function advisoryColumns<Row extends Omit<Closes, 'after_reboot'>>(): readonly Column<Row>[] {
  return [
    severityColumn('Severity'),
    column('advisory', 'Advisory', {
      width: '14rem',
      cell: ({ id, known_exploited }) => (
        <span className={styles['inline']}>
          <Link to="/advisories/$id" params={{ id }} search={{}}>
            <ForeignText text={id} />
          </Link>
          {known_exploited && <ExploitedBadge />}
        </span>
      ),
      sortBy: ({ id }) => id,
    }),
    column('packages', 'Packages', {
      width: '20rem',
      cell: ({ packages }) => <TextCell text={packages.join(', ')} />,
    }),
  ];
}

/** Columns of the advisories that a plan closes. */
export const closedAdvisoryColumns: readonly Column<Closes>[] = [
  ...advisoryColumns<Closes>(),
  column('reboot', 'Closed', {
    width: '12rem',
    cell: ({ after_reboot }) => (after_reboot ? <Badge tone="moderate">After the reboot</Badge> : 'At once'),
  }),
];

/** Columns of the advisories that stay open after a plan. */
export const openAdvisoryColumns: readonly Column<Stays>[] = [
  ...advisoryColumns<Stays>(),
  column('fix', 'Why', {
    width: '12rem',
    cell: ({ fix_state }) => <FixBadge state={fix_state} />,
    sortBy: ({ fix_state }) => fix_state,
  }),
];
