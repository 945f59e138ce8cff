import type { PackageHost } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { Unseen } from '../../design/states.tsx';
import type { PagedQuery } from '../../design/table/endless-table.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import styles from './packages.module.css';
import { countVersions, type VersionCount } from './versions.ts';

interface VersionsInFleetProps {
  readonly rows: readonly PackageHost[];
  readonly total: number;
  readonly chosen: string | undefined;
  readonly query: PagedQuery;
}

/** The versions in the fleet with their numbers of hosts; names the hosts that were counted. */
export function VersionsInFleet({ rows, total, chosen, query }: VersionsInFleetProps) {
  const [isCounting, setIsCounting] = useState(false);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (isCounting && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isCounting, hasNextPage, isFetching, isError, fetchNextPage]);
  const versions = useMemo(() => countVersions(rows), [rows]);
  const columns = useMemo(() => columnsOf(chosen), [chosen]);
  return (
    <>
      {hasNextPage && (
        <Notice tone="neutral">
          Counted on {groupedNumber(rows.length)} of {groupedNumber(total)} hosts.{' '}
          <Button isPending={isCounting} onPress={() => setIsCounting(true)}>
            Count on all
          </Button>
        </Notice>
      )}
      <LongTable label="Versions" columns={columns} rows={versions} rowId={({ version }) => version} />
    </>
  );
}

function columnsOf(chosen: string | undefined): readonly Column<VersionCount>[] {
  return [
    column('version', 'Version', {
      sortBy: ({ version }) => version,
      cell: ({ version, isUncompared }) => (
        <span className={styles['version']}>
          <ForeignText text={version} mono />
          {isUncompared && (
            <Badge tone="neutral" title="It cannot be compared with the version that was asked about.">
              Not comparable
            </Badge>
          )}
        </span>
      ),
    }),
    column('hosts', 'Hosts', {
      width: '8rem',
      align: 'end',
      sortBy: ({ hosts }) => hosts,
      cell: ({ version, hosts }) => (
        <Link
          from="/packages"
          search={({ name, version_lt }) => ({
            ...(name !== undefined && { name }),
            ...(version_lt !== undefined && { version_lt }),
            ...(version !== chosen && { version }),
          })}
          resetScroll={false}
          {...(version === chosen && { 'aria-current': true })}
        >
          {groupedNumber(hosts)}
          <Unseen> {hosts === 1 ? 'host' : 'hosts'} with this version</Unseen>
        </Link>
      ),
    }),
  ];
}
