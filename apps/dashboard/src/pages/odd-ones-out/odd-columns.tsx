import type { OddOnesOut } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { groupedNumber } from '../../design/number-words.ts';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import styles from './odd.module.css';

type OddHost = OddOnesOut['releases'][number]['odd'][number];
type OddPackage = OddHost['packages'][number];
type CommonPackage = OddOnesOut['releases'][number]['common'][number];

/** Differences shown for a host; the others are counted. */
const shownPackages = 8;

function Difference({ odd }: { readonly odd: OddPackage }) {
  const { kind, name, version, common_version } = odd;
  const shown = <ForeignText text={name} />;
  switch (kind) {
    case 'other_version':
      return (
        <>
          {shown}: <ForeignText text={version ?? ''} mono />, others have{' '}
          <ForeignText text={common_version ?? ''} mono />
        </>
      );
    case 'missing':
      return (
        <>
          {shown}: missing, others have <ForeignText text={common_version ?? ''} mono />
        </>
      );
    case 'extra':
      return (
        <>
          {shown}: <ForeignText text={version ?? ''} mono />, others do not have it
        </>
      );
    default:
      return kind satisfies never;
  }
}

function amountOf({ packages, more_packages }: OddHost): number {
  return packages.length + more_packages;
}

/** A host with what is different on it. */
export const oddColumns: readonly Column<OddHost>[] = [
  column('host', 'Host', {
    width: 'clamp(6rem, 18vw, 14rem)',
    cell: ({ host_id, display_name }) => (
      <Link to="/hosts/$id" params={{ id: host_id }} search={{ tab: 'packages' }}>
        <ForeignText text={display_name} />
      </Link>
    ),
    sortBy: ({ display_name }) => display_name,
  }),
  column('amount', 'Differences', {
    width: '8rem',
    align: 'end',
    from: 'medium',
    cell: (host) => groupedNumber(amountOf(host)),
    sortBy: amountOf,
  }),
  column('packages', 'Packages', {
    cell: (host) => {
      const shown = host.packages.slice(0, shownPackages);
      const others = amountOf(host) - shown.length;
      return (
        <ul className={styles['list']}>
          {shown.map((odd) => (
            <li key={`${odd.kind} ${odd.name} ${odd.architecture} ${odd.version} ${odd.common_version}`}>
              <Difference odd={odd} />
            </li>
          ))}
          {others > 0 && <li>and {groupedNumber(others)} more</li>}
        </ul>
      );
    },
  }),
];

/** A version that nearly all hosts have. */
export const commonColumns: readonly Column<CommonPackage>[] = [
  column('name', 'Package', {
    width: '18rem',
    cell: ({ name, architecture }) => (
      <Link to="/packages" search={{ name }}>
        <ForeignText text={`${name} (${architecture})`} />
      </Link>
    ),
    sortBy: ({ name }) => name,
  }),
  column('version', 'Version', { cell: ({ version }) => <ForeignText text={version} mono /> }),
  column('hosts', 'Hosts with it', {
    width: '9rem',
    align: 'end',
    cell: ({ hosts }) => groupedNumber(hosts),
    sortBy: ({ hosts }) => hosts,
  }),
  column('others', 'Without', {
    width: '8rem',
    align: 'end',
    cell: ({ other_hosts }) => groupedNumber(other_hosts),
    sortBy: ({ other_hosts }) => other_hosts,
  }),
];
