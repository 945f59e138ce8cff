import type { AdvisoryDetail } from '@plimsoll/contract';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { download } from '../../api/download.ts';
import { useApiPages } from '../../api/pages.ts';
import { useApi } from '../../api/queries.ts';
import { DownloadButton } from '../../design/download-button.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { ExploitedBadge } from '../../words/badges.tsx';
import { epssWords } from '../../words/epss-words.ts';
import { type AttackSilence, attackSilence } from '../../words/exploitation-words.ts';
import { WaiveButton } from '../waivers/new/waive-button.tsx';
import type { WaiverSubject } from '../waivers/new/waiver-subject.ts';
import { WaivedTotal } from '../waivers/waived-total.tsx';
import styles from './advisories.module.css';
import { AdvisoryRecord } from './advisory-record.tsx';
import { AffectedHosts } from './affected-hosts.tsx';
import { KnownOrNot } from './known-or-not.tsx';

/** One advisory: the record of each feed and the affected hosts. */
export function AdvisoryPage() {
  const { id } = useParams({ from: '/signed-in/advisories/$id' });
  const query = useApi('/advisories/{id}', { params: { id } });
  const detail = query.data;
  return (
    <Page
      title={printable(id, 100)}
      heading={
        <span className={styles['heading']}>
          <ForeignText text={id} />
          {detail?.known_exploited === true && <ExploitedBadge />}
        </span>
      }
      {...(detail !== undefined && { lead: <ForeignText text={detail.records[0]?.title ?? ''} /> })}
      actions={
        detail !== undefined && (
          <>
            {detail.affected_hosts.total > 0 && (
              <DownloadButton
                words="Hosts as CSV"
                download={() => download('/advisories/{id}/hosts.csv', { params: { id } })}
              />
            )}
            <WaiveButton subject={subjectOf(detail)} />
          </>
        )
      }
    >
      <KnownOrNot error={query.error} what="advisory" id={id}>
        <Loaded query={query} what="Reading the advisory">
          {(advisory) => <Advisory advisory={advisory} />}
        </Loaded>
      </KnownOrNot>
    </Page>
  );
}

function subjectOf({ id, cves }: AdvisoryDetail): WaiverSubject {
  return { advisories: [id], cves: cves.map((cve) => cve.id), packages: [], hosts: [], tags: [] };
}

const hostRows = 100;

function Advisory({ advisory }: { readonly advisory: AdvisoryDetail }) {
  const { id, records, cves, affected_hosts, unknown_hosts } = advisory;
  const { fix_state } = useSearch({ from: '/signed-in/advisories/$id' });
  const hosts = useApiPages('/advisories/{id}/hosts', hostRows, { params: { id } });
  return (
    <>
      {records.map((record) => (
        <AdvisoryRecord key={record.feed} record={record} isOnly={records.length === 1} />
      ))}
      <WaivedTotal name={id} />
      <AffectedHosts
        id={id}
        counts={affected_hosts}
        unknown={unknown_hosts}
        isNegligible={records.some((record) => record.packages.some(({ severity }) => severity === 'none'))}
        cves={cves.length}
        query={hosts}
        fix={fix_state}
      />
      {cves.length > 0 && <CveTable cves={cves} />}
    </>
  );
}

type Cve = AdvisoryDetail['cves'][number];

/** The CVEs of an advisory, with what is known about attacks. */
function CveTable({ cves }: { readonly cves: readonly Cve[] }) {
  const feeds = useApi('/feeds');
  const columns = columnsWith(attackSilence(feeds.data));
  return (
    <Panel title="CVEs" flush>
      <LongTable label="CVEs" columns={columns} rows={cves} rowId={({ id }) => id} />
    </Panel>
  );
}

const columnsWith = ({ notExploited, noEpss }: AttackSilence): readonly Column<Cve>[] => [
  column('id', 'CVE', {
    width: '12rem',
    sortBy: ({ id }) => id,
    cell: ({ id }) => (
      <Link to="/cves/$id" params={{ id }} search={{}}>
        <ForeignText text={id} />
      </Link>
    ),
  }),
  column('exploited', 'Exploited', {
    sortBy: ({ exploited_since, known_exploited }) => exploited_since ?? (known_exploited ? '~' : ''),
    cell: ({ known_exploited, exploited_since }) =>
      known_exploited ? (
        <span className={styles['badges']}>
          <ExploitedBadge />
          {exploited_since !== null && `since ${exploited_since}`}
        </span>
      ) : (
        notExploited
      ),
  }),
  column('epss', 'EPSS', {
    width: '9rem',
    align: 'end',
    sortBy: ({ epss }) => epss ?? -1,
    cell: ({ epss }) => (epss === null ? noEpss : epssWords(epss)),
  }),
];
