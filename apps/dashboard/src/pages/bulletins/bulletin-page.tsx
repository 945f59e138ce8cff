import type { BulletinContents } from '@plimsoll/contract';
import { gapWords, openWords } from '@plimsoll/words';
import { Link, useParams } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { amountInWords, groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { ExactTime } from '../../design/time/time.tsx';
import { dueDependsOnIt, exploitedDataIsOld } from '../../words/exploitation-words.ts';
import { BulletinChanges } from './bulletin-changes.tsx';

/** What a report by mail would say now; prints as it is shown. */
export function BulletinPage() {
  const { id } = useParams({ from: '/signed-in/bulletins/$id' });
  const query = useApi('/bulletins/{id}/preview', { params: { id } });
  const name = query.data?.name ?? 'Report by mail';
  return (
    <Page
      title={name}
      heading={<ForeignText text={name} />}
      lead={query.data && <Lead contents={query.data} />}
      actions={
        <Button onPress={() => window.print()}>
          <Printer aria-hidden /> Print
        </Button>
      }
    >
      <Loaded query={query} what="Making the report">
        {(contents) => (
          <>
            <Unknown contents={contents} />
            <Panel title="Open" flush>
              <DataTable
                label="Open findings by severity"
                columns={openColumns}
                rows={contents.open}
                rowId={({ severity }) => severity}
              />
            </Panel>
            <Due contents={contents} />
            {contents.due_forensics && contents.advisories > 0 && (
              <Notice tone="important">
                The due dates ask for a forensic examination of hosts with some findings. Before you change a
                host, see its plan: it says whether evidence is to be taken first.
              </Notice>
            )}
            <Panel title="What to do first" flush>
              {contents.first.length === 0 ? (
                <Notice tone="neutral">No advisory has open findings on hosts that are counted.</Notice>
              ) : (
                <DataTable
                  label="What to do first"
                  columns={firstColumns}
                  rows={contents.first}
                  rowId={({ key }) => key}
                />
              )}
            </Panel>
            {contents.advisories > contents.first.length && (
              <p>
                The first {contents.first.length} of {groupedNumber(contents.advisories)} advisories. The
                table attached to the mail has all of them.
              </p>
            )}
            <BulletinChanges contents={contents} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Lead({
  contents: { about, limited_to: tags, hosts, as_of },
}: {
  readonly contents: BulletinContents;
}) {
  return (
    <>
      {about.kind === 'all' ? (
        'All hosts'
      ) : (
        <>
          {about.kind === 'tag' ? 'Hosts tagged ' : 'Hosts of the group '}
          <ForeignText text={about.name} oneLine />
        </>
      )}
      {tags !== null && (
        <>
          , limited to the tags <ForeignText text={tags.join(', ')} oneLine />
        </>
      )}{' '}
      ({hostsInWords(hosts)}), as of <ExactTime at={as_of} />. As far as you may see it; the mail is about the
      hosts that its maker and its channel may see.
    </>
  );
}

function Unknown({ contents }: { readonly contents: BulletinContents }) {
  const { hosts, unknown_hosts: unknown, uncounted_hosts: uncounted, gaps } = contents;
  if (hosts === 0)
    return (
      <Notice tone="important">No host is in this report: nothing is known, neither good nor bad.</Notice>
    );
  const isDueKnown = !contents.due_exploitation_unknown;
  if (unknown + uncounted + gaps.length === 0 && isExploitationKnown(contents) && isDueKnown)
    return <Notice tone="good">Nothing is known to be missing for {hostsInWords(hosts)}.</Notice>;
  return (
    <Notice tone="important">
      <p>
        <strong>What is not known</strong>
      </p>
      <ul>
        {unknown > 0 && <li>On {hostsInWords(unknown)} the numbers below are lower bounds.</li>}
        {uncounted > 0 && <li>{hostsInWords(uncounted)} with a report that is not counted yet.</li>}
        {gaps.map(({ gap, hosts: having }) => (
          <li key={gap}>
            {hostsInWords(having)}: {gapWords[gap].words}. {gapWords[gap].meaning}
          </li>
        ))}
        {!isExploitationKnown(contents) && (
          <li>
            <ExploitationUnknown contents={contents} />
          </li>
        )}
        {!isDueKnown && (
          <li>
            {isExploitationKnown(contents) && `${exploitedDataIsOld} `}
            {dueDependsOnIt}
          </li>
        )}
      </ul>
    </Notice>
  );
}

function isExploitationKnown({ exploited_data: data }: BulletinContents): boolean {
  return data === null || data.freshness === 'current';
}

/** What the missing or old data of CISA KEV hides. */
function ExploitationUnknown({
  contents: { exploited_data: data },
}: {
  readonly contents: BulletinContents;
}) {
  const at = data?.updated_at ?? null;
  return at === null ? (
    'Whether findings are known to be exploited: the feed cisa-kev was never synced.'
  ) : (
    <>
      What became known to be exploited after <ExactTime at={at} />: the feed cisa-kev is outdated.
    </>
  );
}

function NoneExploited({ contents: { exploited_data: data } }: { readonly contents: BulletinContents }) {
  if (data === null || data.freshness === 'current') return 'No open finding is known to be exploited.';
  return data.updated_at === null ? (
    'Whether an open finding is known to be exploited is not known.'
  ) : (
    <>
      No open finding was known to be exploited as of <ExactTime at={data.updated_at} />.
    </>
  );
}

function Due({ contents }: { readonly contents: BulletinContents }) {
  const { overdue, known_exploited: exploited, has_due_policy: hasPolicy } = contents;
  const mayMoreBeDue = contents.due_exploitation_unknown;
  return (
    <div>
      <p>
        {exploited.findings === 0 ? (
          <NoneExploited contents={contents} />
        ) : (
          `${isExploitationKnown(contents) ? '' : 'At least '}${amountInWords(exploited.findings, 'finding', 'findings')} on ${hostsInWords(exploited.hosts)}: known to be exploited.`
        )}
      </p>
      <p>
        {!hasPolicy
          ? 'No policy of due dates is set, so nothing is due.'
          : overdue.findings === 0
            ? mayMoreBeDue
              ? 'No finding is known to be overdue, but some may be: due dates depend on what is known to be exploited.'
              : 'No known finding is overdue.'
            : `${mayMoreBeDue ? 'At least ' : ''}${amountInWords(overdue.findings, 'finding', 'findings')} on ${hostsInWords(overdue.hosts)}: overdue.`}
      </p>
    </div>
  );
}

const openColumns: readonly Column<BulletinContents['open'][number]>[] = [
  column('severity', 'Severity', { width: '10rem', cell: ({ severity }) => openWords[severity].words }),
  column('findings', 'Findings', {
    width: '8rem',
    align: 'end',
    cell: ({ findings }) => groupedNumber(findings),
  }),
  column('hosts', 'Hosts', { width: '8rem', align: 'end', cell: ({ hosts }) => groupedNumber(hosts) }),
];

const firstColumns: readonly Column<BulletinContents['first'][number]>[] = [
  column('advisory', 'Advisory', {
    width: '20rem',
    cell: ({ key, title }) => (
      <>
        <Link to="/advisories/$id" params={{ id: key }}>
          <ForeignText text={key} oneLine />
        </Link>
        {title !== key && title !== '' && (
          <>
            <br />
            <ForeignText text={title} />
          </>
        )}
      </>
    ),
  }),
  column('severity', 'Severity', {
    width: '10rem',
    cell: ({ severity, known_exploited: exploited }) => `${severity}${exploited ? ', exploited' : ''}`,
  }),
  column('hosts', 'Hosts', {
    width: '8rem',
    align: 'end',
    cell: ({ hosts, installable_hosts: installable }) =>
      installable === hosts
        ? groupedNumber(hosts)
        : `${groupedNumber(hosts)} (fix installable on ${groupedNumber(installable)})`,
  }),
  column('due', 'Due', {
    width: '10rem',
    cell: ({ due_at: due, overdue_hosts: overdue }) =>
      due === null ? null : (
        <>
          <ExactTime at={due} />
          {overdue > 0 && ' (overdue)'}
        </>
      ),
  }),
];
