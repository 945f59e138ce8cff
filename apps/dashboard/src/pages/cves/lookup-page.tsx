import { useQuery } from '@tanstack/react-query';
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

/** Finds the CVEs in a pasted text, each with its numbers of hosts. */
export function LookupPage() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const query = useQuery({
    // Below /cves, so that events about the fleet read it again.
    queryKey: ['/cves/lookup', { text: asked }],
    queryFn: ({ signal }) => api.post('/cves/lookup', { body: { text: asked ?? '' }, signal }),
    enabled: asked !== null,
  });
  const ask = () => setAsked(text.slice(0, mostCharacters));
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
            if (text.trim() !== '') ask();
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
      {asked !== null && (
        <Loaded query={query} what="Looking up the CVEs">
          {(answer) => <LookupAnswer answer={answer} unread={Math.max(0, text.length - mostCharacters)} />}
        </Loaded>
      )}
    </Page>
  );
}
