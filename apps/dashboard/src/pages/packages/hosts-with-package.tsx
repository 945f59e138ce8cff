import type { PackageHost } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useMemo } from 'react';
import { download } from '../../api/download.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { DownloadButton } from '../../design/download-button.tsx';
import { groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Empty, Unseen } from '../../design/states.tsx';
import { EndlessTable, type PagedQuery } from '../../design/table/endless-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { systemInWords } from '../../words/system-words.ts';
import { PlanHostsLink } from '../plans/plan-hosts-link.tsx';
import styles from './packages.module.css';
import { usePackagesSearch } from './use-packages-search.ts';
import { hostsWithVersion } from './versions.ts';

interface HostsWithPackageProps {
  readonly name: string;
  readonly versionBelow: string | undefined;
  readonly rows: readonly PackageHost[];
  readonly total: number;
  /** Lists only hosts with this version. */
  readonly version: string | undefined;
  readonly query: PagedQuery;
}

/** The hosts that have a package, with its versions. */
export function HostsWithPackage({ name, versionBelow, rows, total, version, query }: HostsWithPackageProps) {
  const [{ version: _chosen, ...others }, ask] = usePackagesSearch();
  const shown = useMemo(() => hostsWithVersion(rows, version), [rows, version]);
  const count = version === undefined ? total : shown.length;
  return (
    <>
      <div className={styles['total']}>
        <span role="status">
          {hostsInWords(count)}
          {version !== undefined && query.hasNextPage && ` of the first ${groupedNumber(rows.length)}`}
        </span>
        {version !== undefined && (
          <Button look="quiet" onPress={() => ask(others)}>
            Version {printable(version, 60)}
            <Unseen>: show the hosts of all versions</Unseen> <X aria-hidden />
          </Button>
        )}
        <DownloadButton
          words={version === undefined ? 'CSV' : 'All versions as CSV'}
          download={() =>
            download('/packages.csv', {
              query: { name, ...(versionBelow !== undefined && { version_lt: versionBelow }) },
            })
          }
        />
        {!query.hasNextPage && <PlanHostsLink ids={shown.map(({ host_id }) => host_id)} />}
      </div>
      {shown.length === 0 && !query.hasNextPage ? (
        <Empty title="No host has this version">Choose another version above.</Empty>
      ) : (
        <EndlessTable
          label="Hosts"
          columns={columns}
          rows={shown}
          rowId={({ host_id }) => host_id}
          query={query}
        />
      )}
    </>
  );
}

const columns: readonly Column<PackageHost>[] = [
  column('host', 'Host', {
    width: '14rem',
    cell: ({ host_id, display_name, packages }) => (
      <Link
        to="/hosts/$id"
        params={{ id: host_id }}
        search={{ tab: 'packages', ...(packages[0] !== undefined && { q: packages[0].name }) }}
        className={styles['host'] ?? ''}
      >
        <ForeignText text={display_name} oneLine />
      </Link>
    ),
  }),
  column('version', 'Version', {
    cell: ({ packages }) => (
      <span className={styles['version']}>
        <span className={styles['versions']}>
          <ForeignText text={textsOf(packages.map(({ version }) => version))} oneLine mono />
        </span>
        {packages.some(({ held }) => held) && (
          <Badge tone="moderate" title="Pinned or held on the host.">
            Held
          </Badge>
        )}
      </span>
    ),
  }),
  column('architecture', 'Architecture', {
    width: '9rem',
    from: 'medium',
    cell: ({ packages }) => (
      <ForeignText text={textsOf(packages.map(({ architecture }) => architecture))} oneLine />
    ),
  }),
  column('source', 'Source package', {
    width: '12rem',
    from: 'wide',
    cell: ({ packages }) => (
      <span className={styles['versions']}>
        <ForeignText text={textsOf(packages.map(({ source_name }) => source_name))} oneLine mono />
      </span>
    ),
  }),
  column('os', 'System', {
    width: '10rem',
    from: 'medium',
    cell: ({ os_name, os_version }) => <ForeignText text={systemInWords({ os_name, os_version })} oneLine />,
  }),
];

function textsOf(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
