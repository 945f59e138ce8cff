import type { HostChanges } from '@plimsoll/contract';
import type { Tone } from '@plimsoll/words';
import { causeWords, severityOrder } from '@plimsoll/words';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExploitedBadge, SeverityBadge } from '../../../words/badges.tsx';
import { AdvisoryLinks } from '../advisory-links.tsx';
import styles from '../host.module.css';
import { nameColumn } from '../shared-columns.tsx';
import { VersionStep } from '../version-step.tsx';

type Changed = HostChanges['packages'][number];
type Opened = HostChanges['opened'][number];
type Closed = HostChanges['closed'][number];
type Cause = (Opened | Closed)['advisories'][number]['cause'];

const kinds: Readonly<Record<Changed['kind'], readonly [words: string, tone: Tone]>> = {
  installed: ['Installed', 'low'],
  removed: ['Removed', 'neutral'],
  upgraded: ['Upgraded', 'good'],
  downgraded: ['Downgraded', 'important'],
  replaced: ['Replaced', 'neutral'],
};

/** Packages that were installed, removed or changed. */
export const changedPackageColumns: readonly Column<Changed>[] = [
  column('kind', 'Change', {
    width: '9rem',
    cell: ({ kind }) => <Badge tone={kinds[kind][1]}>{kinds[kind][0]}</Badge>,
    sortBy: ({ kind }) => kind,
  }),
  nameColumn(),
  column('versions', 'From → to', {
    width: '20rem',
    cell: ({ from_version, to_version }) => <VersionStep from={from_version} to={to_version ?? 'removed'} />,
  }),
  column('architecture', 'Architecture', {
    width: '8rem',
    from: 'medium',
    cell: ({ architecture }) => <ForeignText text={architecture} oneLine />,
  }),
];

function findingColumns<Row extends Opened | Closed>(): readonly Column<Row>[] {
  return [
    column('severity', 'Severity', {
      width: '9rem',
      cell: ({ severity, known_exploited }) => (
        <span className={styles['inline']}>
          <SeverityBadge severity={severity} />
          {known_exploited && <ExploitedBadge />}
        </span>
      ),
      sortBy: ({ severity }) => severityOrder.indexOf(severity),
    }),
    nameColumn(),
  ];
}

function lastColumns<Row extends Opened | Closed>(): readonly Column<Row>[] {
  return [
    column('advisories', 'Advisories', {
      width: '14rem',
      cell: ({ advisories }) => <AdvisoryLinks ids={advisories.map(({ id }) => id)} />,
    }),
    column('cause', 'Why', {
      width: '16rem',
      from: 'medium',
      cell: ({ advisories }) => {
        const codes: readonly Cause[] = advisories.map(({ cause }) => cause);
        return [...new Set(codes)].map((cause) => causeWords[cause]).join('; ');
      },
    }),
  ];
}

/** Packages with new findings. */
export const openedColumns: readonly Column<Opened>[] = [
  ...findingColumns<Opened>(),
  column('version', 'Installed', {
    width: '14rem',
    from: 'medium',
    cell: ({ installed_version }) => <VersionStep from={installed_version} to={null} />,
  }),
  ...lastColumns<Opened>(),
];

/** Packages with resolved findings. */
export const closedColumns: readonly Column<Closed>[] = [
  ...findingColumns<Closed>(),
  column('version', 'From → to', {
    width: '19rem',
    from: 'medium',
    cell: ({ from_version, to_version }) => <VersionStep from={from_version} to={to_version ?? 'removed'} />,
  }),
  ...lastColumns<Closed>(),
];
