import type { VulnerablePackage } from '@plimsoll/contract';
import { severityOrder } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExploitedBadge, FixBadge, SeverityBadge } from '../../../words/badges.tsx';
import { epssWords } from '../../../words/epss-words.ts';
import { DueTime } from '../../../words/host-due.tsx';
import { Struck, WaivedBadge } from '../../../words/waived.tsx';
import styles from '../host.module.css';
import { VersionStep } from '../version-step.tsx';
import { WhyButton } from './why-button.tsx';

/** Columns of a list of findings. */
export const findingColumns: readonly Column<VulnerablePackage>[] = [
  column('severity', 'Severity', {
    width: '8.5rem',
    cell: ({ severity, known_exploited, waiver }) => (
      <span className={styles['inline']}>
        <Struck by={waiver}>
          <SeverityBadge severity={severity} />
          {known_exploited && <ExploitedBadge />}
        </Struck>
      </span>
    ),
    sortBy: ({ severity, known_exploited }) =>
      2 * severityOrder.indexOf(severity) + (known_exploited ? 0 : 1),
  }),
  column('package', 'Package, installed → fixed', {
    cell: (row) => (
      <span className={styles['tight']}>
        <Struck by={row.waiver}>
          <WhyButton finding={row} />
          <VersionStep from={row.installed_version} to={row.fixed_version} />
        </Struck>
        {row.waiver === undefined ? <WaivedPart finding={row} /> : <WaivedBadge waiver={row.waiver} />}
        <span className={styles['whereNarrow']}>
          {row.waiver === undefined && <FixBadge state={row.fix_state} />}
        </span>
      </span>
    ),
    sortBy: ({ name }) => name,
  }),
  column('fix', 'Fix', {
    width: '11rem',
    from: 'medium',
    cell: ({ fix_state, waiver }) => (
      <Struck by={waiver}>
        <FixBadge state={fix_state} />
      </Struck>
    ),
    sortBy: ({ fix_state }) => fix_state,
  }),
  column('due', 'Due', {
    width: '8.5rem',
    from: 'medium',
    cell: ({ due_at }) => (due_at === null ? '–' : <DueTime at={due_at} />),
    sortBy: ({ due_at }) => due_at ?? '9999',
  }),
  column('epss', 'EPSS', {
    width: '5.5rem',
    align: 'end',
    from: 'medium',
    cell: ({ epss }) => (epss === null ? '–' : epssWords(epss)),
    sortBy: ({ epss }) => -(epss ?? -1),
  }),
  column('advisories', 'Advisories', {
    width: '13rem',
    from: 'wide',
    cell: (row) => <Advisories finding={row} />,
    sortBy: ({ advisories }) => -advisories.length,
  }),
];

/** How many advisories of a finding that is not waived are waived. */
function WaivedPart({ finding: { advisories } }: { readonly finding: VulnerablePackage }) {
  const waived = advisories.filter(({ waiver }) => waiver !== undefined).length;
  if (waived === 0) return null;
  return (
    <span className={styles['muted']}>
      {waived} of {advisories.length} advisories waived
    </span>
  );
}

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
