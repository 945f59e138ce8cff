import type { DuePreview } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { api, type RequestOf } from '../../../api/client.ts';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords, groupedNumber, hostsInWords } from '../../../design/number-words.ts';
import { Loaded } from '../../../design/states.tsx';
import { exploitedDataIsOld } from '../../../words/exploitation-words.ts';

type Policy = RequestOf<'post', '/policies/due-dates/preview'>['body'];

/** What a policy would make overdue if it were put in force now. */
export function PolicyPreview({ policy }: { readonly policy: Policy }) {
  const query = useQuery({
    queryKey: ['/policies/due-dates/preview', policy],
    queryFn: ({ signal }) => api.post('/policies/due-dates/preview', { body: policy, signal }),
  });
  return (
    <Loaded query={query} what="Counting hosts by this policy">
      {(preview) => <Preview preview={preview} />}
    </Loaded>
  );
}

function Preview({
  preview: { fleet, compared, estimated, hosts, findings, exploitation_unknown: mayBeMore },
}: {
  readonly preview: DuePreview;
}) {
  if (fleet === 0)
    return (
      <Notice tone="neutral">
        <p>No approved host has reported yet: nothing can be said about this policy.</p>
      </Notice>
    );
  return (
    <Notice tone={findings.become > 0 ? 'important' : 'neutral'}>
      <p>
        {estimated
          ? `Estimated from ${hostsInWords(compared)} of ${groupedNumber(fleet)}. `
          : `Counted on ${fleet === 1 ? 'the one host' : `all ${hostsInWords(fleet)}`} with a report. `}
        With this policy {estimated && 'about '}
        {amountInWords(findings.after, 'finding', 'findings')} on {hostsInWords(hosts.after)} would be
        overdue; now {findings.now === 1 ? 'it is' : 'there are'} {groupedNumber(findings.now)} on{' '}
        {hostsInWords(hosts.now)}.
      </p>
      <ul aria-label="What would change">
        <li>
          {amountInWords(findings.become, 'finding', 'findings')} would become overdue
          {hosts.become > 0 && `, and ${hostsInWords(hosts.become)} without an overdue finding now`}.
        </li>
        <li>
          {amountInWords(findings.stop, 'finding', 'findings')} would no longer be overdue
          {hosts.stop > 0 && `, and ${hostsInWords(hosts.stop)} would have none left`}.
        </li>
      </ul>
      {mayBeMore && (
        <p>
          More may be overdue: the policy depends on which vulnerabilities are exploited. {exploitedDataIsOld}
        </p>
      )}
    </Notice>
  );
}
