import type { Import } from '@plimsoll/contract';
import { importWords } from '@plimsoll/words';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { groupedNumber } from '../../../design/number-words.ts';
import { Facts } from '../../../design/page/facts.tsx';
import { Progress } from '../../../design/progress.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

const pollMs = 1_000;

interface ImportOutcomeProps {
  readonly id: string;
  readonly onForget: () => void;
}

/** Progress and result of an import, with the errors in the file. */
export function ImportOutcome({ id, onForget }: ImportOutcomeProps) {
  const client = useQueryClient();
  const query = useQuery({
    ...apiQuery('/feeds/imports/{importId}', { params: { importId: id } }),
    refetchInterval: ({ state }) => (isEnded(state.data) || state.status === 'error' ? false : pollMs),
  });
  const hasEnded = isEnded(query.data);
  useEffect(() => {
    // The import has rematched the hosts: every cached read may be outdated.
    if (hasEnded) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== id });
  }, [client, hasEnded, id]);
  return (
    <section className={styles['aside']} aria-label="The import">
      <Loaded query={query} what="Loading the import">
        {(shown) => <Outcome shown={shown} onForget={onForget} />}
      </Loaded>
    </section>
  );
}

function isEnded(shown: Import | undefined): boolean {
  return shown?.status === 'done' || shown?.status === 'failed';
}

function Outcome({ shown, onForget }: { readonly shown: Import; readonly onForget: () => void }) {
  const { status, records_read, records_changed, records_rejected, errors, started_at, finished_at } = shown;
  const { words, tone } = importWords[status];
  return (
    <>
      <div className={styles['inline']} role="status">
        <h3>Import</h3>
        <Badge tone={tone}>{words}</Badge>
      </div>
      {status === 'queued' && <Progress label="Waiting for the advisory worker" part={null} />}
      {status === 'running' && (
        <Progress label="Reading the records, then re-checking the hosts" part={null} />
      )}
      <Facts
        facts={[
          ['Records read', groupedNumber(records_read)],
          ['New or changed', groupedNumber(records_changed)],
          ['Rejected', groupedNumber(records_rejected)],
          ['Started', started_at === null ? '–' : <Time key="begun" at={started_at} />],
          ['Finished', finished_at === null ? '–' : <Time key="ended" at={finished_at} />],
        ]}
      />
      {errors.length > 0 && <Faults errors={errors} failed={status === 'failed'} />}
      {isEnded(shown) && (
        <div>
          <Button onPress={onForget}>Close</Button>
        </div>
      )}
    </>
  );
}

function Faults({ errors, failed }: { readonly errors: Import['errors']; readonly failed: boolean }) {
  return (
    <Notice tone={failed ? 'critical' : 'important'}>
      <p>
        {failed
          ? 'The import failed. The data from before is unchanged:'
          : 'Some records were rejected. All others were imported:'}
      </p>
      {/*
          biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      */}
      <ul className={styles['faults']} tabIndex={0} aria-label="Rejected records">
        {errors.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            {pointer !== '' && (
              <>
                <ForeignText text={pointer} mono />:{' '}
              </>
            )}
            <ForeignText text={detail} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
