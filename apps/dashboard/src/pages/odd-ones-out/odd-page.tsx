import type { OddOnesOut } from '@plimsoll/contract';
import { useSearch } from '@tanstack/react-router';
import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { filterInWords } from '../groups/group-columns.tsx';
import { hostQueryOf } from '../hosts/host-query.ts';
import styles from './odd.module.css';
import { commonColumns, oddColumns } from './odd-columns.tsx';

type ReleaseOdds = OddOnesOut['releases'][number];

/** The hosts of a group that differ from nearly all others; the filters of the list of hosts are in the address. */
export function OddPage() {
  const search = useSearch({ from: '/signed-in/odd-ones-out' });
  const { sort: _sort, retired: _retired, approval_status: _status, ...filters } = search;
  const { sort: _order, retired: _gone, approval_status: _state, ...query } = hostQueryOf(filters);
  const answer = useApi('/hosts/odd-ones-out', { query });
  const named = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return (
    <Page
      title="Odd ones out"
      lead={`Approved hosts with: ${filterInWords(named)}. Compared with hosts of the same release: what at least 90 % of them have in one version, and what at least 90 % do not have.`}
      actions={
        <LinkButton to="/hosts" search={filters}>
          List of these hosts
        </LinkButton>
      }
    >
      <Loaded query={answer} what="Comparing the hosts">
        {(found) => <Found found={found} />}
      </Loaded>
    </Page>
  );
}

function Found({ found }: { readonly found: OddOnesOut }) {
  const { hosts, unreported_hosts, left_out_hosts, releases } = found;
  return (
    <>
      {unreported_hosts > 0 && (
        <Notice tone="important">
          {hostsInWords(unreported_hosts)} of {groupedNumber(hosts)} sent no report: whether they differ is
          not known.
        </Notice>
      )}
      {left_out_hosts > 0 && (
        <Notice tone="important">
          {hostsInWords(left_out_hosts)} were not compared, because the hosts differ too much from each other.
          Choose fewer by a filter.
        </Notice>
      )}
      {releases.length === 0 && (
        <Panel title="Hosts that differ">
          <Empty title="No host to compare">No approved host with these filters sent a report.</Empty>
        </Panel>
      )}
      {releases
        .filter(({ odd_hosts }) => odd_hosts !== null)
        .map((release) => (
          <Release key={release.release} found={release} />
        ))}
      <TooFew releases={releases.filter(({ odd_hosts }) => odd_hosts === null)} />
    </>
  );
}

/** Releases of which nothing can be said. */
function TooFew({ releases }: { readonly releases: readonly ReleaseOdds[] }) {
  if (releases.length === 0) return null;
  return (
    <Panel title="Not compared">
      <p>Too few hosts to tell which is the odd one; it takes five of one release:</p>
      <ul aria-label="Releases with too few hosts">
        {releases.map(({ release, hosts }) => (
          <li key={release}>
            <ForeignText text={release} oneLine />: {hostsInWords(hosts)}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Release({ found }: { readonly found: ReleaseOdds }) {
  const { release, hosts, odd_hosts, odd, common } = found;
  if (odd_hosts === null) return null;
  if (odd_hosts === 0)
    return (
      <Panel title={release}>
        <p>None of {hostsInWords(hosts)} differs, by the newest report of each.</p>
      </Panel>
    );
  return (
    <>
      <Panel title={`${release}: hosts that differ`} flush>
        <p className={styles['count']}>
          {groupedNumber(odd_hosts)} of {hostsInWords(hosts)}
          {odd_hosts > odd.length && `; the ${groupedNumber(odd.length)} most different are shown`}.
        </p>
        <LongTable
          label={`${release}: hosts`}
          columns={oddColumns}
          rows={odd}
          rowId={({ host_id }) => host_id}
        />
      </Panel>
      {common.length > 0 && (
        <Panel title={`${release}: versions that nearly all have`} flush>
          <LongTable
            label={`${release}: packages`}
            columns={commonColumns}
            rows={common}
            rowId={({ name, architecture, version }) => `${name} ${architecture} ${version}`}
          />
        </Panel>
      )}
    </>
  );
}
