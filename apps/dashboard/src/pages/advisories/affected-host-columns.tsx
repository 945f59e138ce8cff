import type { AffectedHost } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { FixBadge } from '../../words/badges.tsx';
import { systemInWords } from '../../words/system-words.ts';
import { type BornWaiver, Struck, WaivedBadge } from '../../words/waived.tsx';
import styles from './advisories.module.css';

/** An affected host with its affected packages. */
export const affectedHostColumns: readonly Column<AffectedHost>[] = [
  column('host', 'Host', {
    width: 'clamp(6rem, 17vw, 13rem)',
    cell: ({ host_id, display_name, packages }) => (
      <Link
        to="/hosts/$id"
        params={{ id: host_id }}
        search={{
          fix: 'all',
          ...(packages.some((each) => !isOpen(each)) && { waived: 'true' }),
          ...(packages[0] !== undefined && { q: packages[0].name }),
        }}
        className={styles['id'] ?? ''}
      >
        <ForeignText text={display_name} oneLine />
      </Link>
    ),
  }),
  column('fix', 'Fix', {
    width: 'clamp(8rem, 16vw, 12rem)',
    cell: ({ packages }) => (
      <span className={styles['badges']}>
        {distinct(packages.filter(isOpen).map(({ fix_state }) => fix_state)).map((state) => (
          <FixBadge key={state} state={state} />
        ))}
        {waiversOf(packages).map((waiver) => (
          <WaivedBadge key={waiver.id} waiver={waiver} />
        ))}
      </span>
    ),
  }),
  column('packages', 'Packages', {
    from: 'medium',
    cell: ({ packages }) => (
      <>
        <Texts texts={packages.filter(isOpen).map(({ name }) => name)} />
        {packages.some(({ waiver }) => waiver !== undefined) && (
          <Struck by={waiversOf(packages)[0]}>
            <Texts texts={packages.filter((each) => !isOpen(each)).map(({ name }) => name)} />
          </Struck>
        )}
      </>
    ),
  }),
  column('installed', 'Installed', {
    from: 'medium',
    cell: ({ packages }) => <Texts texts={packages.map(({ installed_version }) => installed_version)} />,
  }),
  column('fixed', 'Fixed in', {
    from: 'wide',
    cell: ({ packages }) => (
      <Texts texts={packages.map(({ fixed_version }) => fixed_version ?? '').filter((text) => text !== '')} />
    ),
  }),
  column('os', 'System', {
    width: '9rem',
    from: 'wide',
    cell: ({ os_name, os_version }) => <ForeignText text={systemInWords({ os_name, os_version })} oneLine />,
  }),
];

type AffectedPackage = AffectedHost['packages'][number];

function isOpen({ waiver }: AffectedPackage): boolean {
  return waiver === undefined;
}

/** The waivers of packages, each once. */
function waiversOf(packages: readonly AffectedPackage[]): readonly BornWaiver[] {
  const waivers = packages.flatMap(({ waiver }) => waiver ?? []);
  return [...new Map(waivers.map((waiver) => [waiver.id, waiver])).values()];
}

/** Some names or versions on one line, without duplicates. */
function Texts({ texts }: { readonly texts: readonly string[] }) {
  return (
    <span className={styles['short']}>
      <ForeignText text={distinct(texts).join(', ')} oneLine mono />
    </span>
  );
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
