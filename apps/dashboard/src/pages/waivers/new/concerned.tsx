import type { WaiverPreview } from '@plimsoll/contract';
import type { WaiverKind } from '@plimsoll/model';
import { useQuery } from '@tanstack/react-query';
import { api, type RequestOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/problem.ts';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords, hostsInWords } from '../../../design/number-words.ts';

type NewWaiver = RequestOf<'post', '/waivers'>['body'];

interface ConcernedProps {
  readonly kind: WaiverKind;
  /** What the waiver names, and where it applies. */
  readonly named: Pick<NewWaiver, 'advisories' | 'packages' | 'hosts' | 'tags' | 'all_hosts'>;
  /** Whether it is chosen where the waiver applies. */
  readonly isPlaced: boolean;
}

/** How many findings and hosts a new waiver would concern, by the last counts. */
export function Concerned({ kind, named, isPlaced }: ConcernedProps) {
  const body = { kind, ...named, check_only: true };
  const isComplete = isPlaced && (named.tags === undefined || named.tags.length > 0);
  const query = useQuery({
    queryKey: ['preview of a waiver', body],
    queryFn: async ({ signal }) => {
      const answer = await api.post('/waivers', { body, signal });
      return 'id' in answer ? null : answer;
    },
    enabled: isComplete,
    retry: false,
  });
  return (
    <div role="status">
      {!isPlaced ? (
        'Choose where it applies to see what it would concern.'
      ) : !isComplete ? (
        'Name a tag to see what it would concern.'
      ) : query.isError ? (
        <Notice tone="important">{messageOf(query.error)}</Notice>
      ) : query.data == null ? (
        'Counting what it would concern…'
      ) : (
        <Counts preview={query.data} />
      )}
    </div>
  );
}

function Counts({ preview }: { readonly preview: WaiverPreview }) {
  const { matched_findings, matched_hosts, uncounted_hosts, partly_known_hosts } = preview;
  return (
    <Notice tone="neutral">
      <p>
        {matched_findings === 0 ? (
          'It would concern no finding that is known now.'
        ) : (
          <>
            It would cover something of{' '}
            <strong>{amountInWords(matched_findings, 'finding', 'findings')}</strong> on{' '}
            <strong>{hostsInWords(matched_hosts)}</strong>. A finding with other open advisories stays open.
          </>
        )}
        {uncounted_hosts > 0 &&
          ` The findings of ${hostsInWords(uncounted_hosts)} are not known, and are not in these numbers.`}
        {partly_known_hosts > 0 &&
          ` Not all findings are known of ${hostsInWords(partly_known_hosts)}: it may concern more there.`}
      </p>
    </Notice>
  );
}
