import type { CveLookup, Feed } from '@plimsoll/contract';
import type { CveState } from '@plimsoll/model';
import { cveStateOrder, cveStateWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Download, SearchX } from 'lucide-react';
import { useApi } from '../../api/queries.ts';
import { saveFile } from '../../api/save-file.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { amountInWords, groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { Empty, Unseen } from '../../design/states.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { CopyField } from '../../design/text/copy-field.tsx';
import { printable } from '../../design/text/printable.ts';
import { ExploitedBadge } from '../../words/badges.tsx';
import { epssWords } from '../../words/epss-words.ts';
import { hasKevData, kevLimit } from '../../words/exploitation-words.ts';
import styles from './cves.module.css';
import { type LookedUpCve, lookupLines } from './lookup-table.ts';

interface LookupAnswerProps {
  readonly answer: CveLookup;
  /** Characters of the text that were not read. */
  readonly unread: number;
}

/** The CVEs of a text with their numbers of hosts, and what of the text was not understood. */
export function LookupAnswer({ answer, unread }: LookupAnswerProps) {
  const { cves } = answer;
  const feeds = useApi('/feeds');
  const hasData = hasKevData(feeds.data);
  return (
    <Panel
      title={amountInWords(cves.length, 'CVE', 'CVEs')}
      flush
      actions={
        cves.length > 0 && (
          <Button
            onPress={() =>
              saveFile(new Blob([lookupLines(cves, ',', hasData)], { type: 'text/csv' }), 'plimsoll-cves.csv')
            }
          >
            <Download aria-hidden /> CSV
          </Button>
        )
      }
    >
      <Notes answer={answer} unread={unread} />
      {cves.length > 0 && <Exploitation feeds={feeds.data} />}
      {cves.length === 0 ? (
        <Empty title="No CVE id in this text" icon={SearchX}>
          An id is CVE, a year and four digits or more, such as CVE-2024-6387.
        </Empty>
      ) : (
        <>
          <LongTable label="CVEs in the text" columns={columns} rows={cves} rowId={({ id }) => id} />
          <p className={styles['padded']}>
            The address of this page names these CVEs. Share it: it shows the numbers of the time when it is
            opened.
          </p>
          <details className={styles['padded']}>
            <summary>Copy as a table</summary>
            <CopyField text={lookupLines(cves, '\t', hasData)} what="table" />
          </details>
        </>
      )}
    </Panel>
  );
}

function Notes({ answer, unread }: LookupAnswerProps) {
  const { left_out, left_out_total, not_understood, cves } = answer;
  const unknown = cves.filter(({ known }) => !known).length;
  if (left_out_total === 0 && not_understood.length === 0 && unread === 0 && unknown === 0) return null;
  return (
    <div className={styles['notes']}>
      {unread > 0 && (
        <Notice tone="important">
          The end of the text was not read: {groupedNumber(unread)} characters.
        </Notice>
      )}
      {left_out_total > 0 && (
        <Notice tone="important">
          {amountInWords(left_out_total, 'more CVE was', 'more CVEs were')} not looked up, because one look-up
          takes {groupedNumber(cves.length)}: {left_out.slice(0, 20).join(', ')}
          {left_out_total > 20 && ' …'}
        </Notice>
      )}
      {not_understood.length > 0 && (
        <Notice tone="important">
          Not understood as a CVE id: {not_understood.map((part) => `“${printable(part, 60)}”`).join(', ')}
        </Notice>
      )}
      {unknown > 0 && (
        <Notice tone="neutral">
          {amountInWords(unknown, 'CVE is', 'CVEs are')} in no feed here: whether hosts are affected is not
          known.
        </Notice>
      )}
    </div>
  );
}

/** What a missing mark of exploitation does not mean while the data of CISA KEV is missing or old. */
function Exploitation({ feeds }: { readonly feeds: readonly Feed[] | undefined }) {
  const limit = kevLimit(feeds);
  if (limit === null) return null;
  return (
    <div className={styles['notes']}>
      <Notice tone="important">{limit}</Notice>
    </div>
  );
}

const columns: readonly Column<LookedUpCve>[] = [
  column('id', 'CVE', {
    width: '14rem',
    sortBy: ({ id }) => id,
    cell: ({ id, known_exploited }) => (
      <span className={styles['badges']}>
        <Link to="/cves/$id" params={{ id }} search={{}}>
          {id}
        </Link>
        {known_exploited && <ExploitedBadge />}
      </span>
    ),
  }),
  ...cveStateOrder.map(stateColumn),
  column('epss', 'EPSS', {
    align: 'end',
    width: '6rem',
    from: 'medium',
    sortBy: ({ epss }) => epss ?? -1,
    cell: ({ epss }) => (epss === null ? '–' : epssWords(epss)),
  }),
];

/** The number of hosts in a state, which leads to them. */
function stateColumn(state: CveState): Column<LookedUpCve> {
  return column(state, cveStateWords[state].words, {
    align: 'end',
    width: '7rem',
    sortBy: ({ totals }) => totals[state],
    cell: ({ id, totals }) => (
      <Link to="/cves/$id" params={{ id }} search={{ state }} hash="hosts">
        {groupedNumber(totals[state])}
        <Unseen> hosts: {cveStateWords[state].words}</Unseen>
      </Link>
    ),
  });
}
