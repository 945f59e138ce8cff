import type { VulnerablePackage } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { ForeignText } from '../../design/foreign-text.tsx';
import type { Column } from '../../design/table-columns.ts';
import { ExploitedBadge, FixBadge, SeverityBadge } from '../../words/badges.tsx';
import { severityOrder } from '../../words/finding-words.ts';
import styles from './host.module.css';
import { VersionStep } from './version-step.tsx';
import { WhyButton } from './why-button.tsx';

/** What a list of findings shows of each. */
export const findingColumns: readonly Column<VulnerablePackage>[] = [
  {
    id: 'severity',
    header: 'Severity',
    width: '8.5rem',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    sortBy: ({ severity }) => severityOrder.indexOf(severity),
  },
  {
    id: 'package',
    header: 'Package',
    width: '14rem',
    cell: (row) => <WhyButton finding={row} />,
    sortBy: ({ name }) => name,
  },
  {
    id: 'versions',
    header: 'Installed → fixed',
    width: '19rem',
    cell: (row) => <VersionStep from={row.installed_version} to={row.fixed_version} />,
  },
  {
    id: 'fix',
    header: 'Fix',
    width: '11rem',
    cell: ({ fix_state }) => <FixBadge state={fix_state} />,
    sortBy: ({ fix_state }) => fix_state,
  },
  {
    id: 'exploited',
    header: 'Exploited',
    width: '7.5rem',
    from: 'medium',
    cell: ({ known_exploited }) => (known_exploited ? <ExploitedBadge /> : '–'),
    sortBy: ({ known_exploited }) => (known_exploited ? 0 : 1),
  },
  {
    id: 'epss',
    header: 'EPSS',
    width: '5.5rem',
    align: 'end',
    from: 'medium',
    cell: ({ epss }) => (epss === null ? '–' : percent.format(epss)),
    sortBy: ({ epss }) => -(epss ?? -1),
  },
  {
    id: 'advisories',
    header: 'Advisories',
    width: '13rem',
    from: 'medium',
    cell: (row) => <Advisories finding={row} />,
    sortBy: ({ advisories }) => -advisories.length,
  },
];

/** A probability as people read it. */
export const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

function Advisories({ finding }: { readonly finding: VulnerablePackage }) {
  const { advisories } = finding;
  const [first] = advisories;
  if (first === undefined) return null;
  return (
    <span className={styles['text']}>
      <Link to="/advisories/$id" params={{ id: first.id }} search={{}}>
        <ForeignText text={first.id} />
      </Link>
      {advisories.length > 1 && (
        <>
          {' '}
          <WhyButton finding={finding} words={`and ${advisories.length - 1} more`} />
        </>
      )}
    </span>
  );
}
