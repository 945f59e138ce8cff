import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { LongTextField } from '../../design/form/fields.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import styles from './cves.module.css';
import { LookupAnswer } from './lookup-answer.tsx';

/** The longest text that the API reads, in characters. */
const mostCharacters = 500_000;

/** A text that was looked up, and the ids in it as the address has them. */
interface Asked {
  readonly text: string;
  readonly ids: string | undefined;
  /** Characters of the text that were not read. */
  readonly unread: number;
}

const lookup = (text: string) =>
  queryOptions({
    // Below /cves, so that events about the fleet read it again.
    queryKey: ['/cves/lookup', { text }],
    queryFn: ({ signal }) => api.post('/cves/lookup', { body: { text }, signal }),
  });

/** Finds the CVEs in a pasted text, each with its numbers of hosts. The address names the CVEs. */
export function LookupPage() {
  const { ids } = useSearch({ from: '/signed-in/cves' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const named = ids?.replaceAll(',', '\n');
  const [text, setText] = useState(named ?? '');
  const [asked, setAsked] = useState<Asked | null>(null);
  // Another address than that of the text was opened.
  const current = asked?.ids === ids ? asked : null;
  const wanted = current?.text ?? named ?? null;
  const query = useQuery({ ...lookup(wanted ?? ''), enabled: wanted !== null });
  const ask = async (): Promise<void> => {
    const part = text.slice(0, mostCharacters);
    // A failure is shown by the query.
    const answer = await client.fetchQuery(lookup(part)).catch(() => null);
    const found = answer === null ? ids : answer.cves.map(({ id }) => id).join(',') || undefined;
    setAsked({ text: part, ids: found, unread: text.length - part.length });
    await navigate({ to: '/cves', search: found === undefined ? {} : { ids: found } });
  };
  return (
    <Page
      title="Look up CVEs"
      lead="Paste a mail, an advisory or the output of a scanner. Every CVE in it is looked up on all approved hosts."
    >
      <Panel title="Text">
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') void ask();
          }}
        >
          <LongTextField
            label="Text with CVE ids"
            value={text}
            onChange={setText}
            hint={
              text.length > mostCharacters
                ? `The first ${groupedNumber(mostCharacters)} of ${groupedNumber(text.length)} characters are read.`
                : 'The ids are found in any text, such as CVE-2024-6387.'
            }
          />
          <div>
            <Button
              type="submit"
              look="primary"
              isDisabled={text.trim() === ''}
              isPending={query.isFetching && query.data === undefined}
            >
              Look up
            </Button>
          </div>
        </form>
      </Panel>
      {wanted !== null && (
        <Loaded query={query} what="Looking up the CVEs">
          {(answer) => <LookupAnswer answer={answer} unread={current?.unread ?? 0} />}
        </Loaded>
      )}
    </Page>
  );
}
