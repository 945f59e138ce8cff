import type { TagRule, TagRulePreview } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords, hostsInWords } from '../../../design/number-words.ts';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';

/** What rules would change if they were put in force now. */
export function TagRulesPreview({ rules }: { readonly rules: readonly TagRule[] }) {
  const body = { rules: rules.map((rule) => ({ ...rule })) };
  const query = useQuery({
    queryKey: ['/policies/tags/preview', body],
    queryFn: ({ signal }) => api.post('/policies/tags/preview', { body, signal }),
  });
  return (
    <Loaded query={query} what="Comparing the rules with all hosts">
      {(preview) => <Changes preview={preview} />}
    </Loaded>
  );
}

function Changes({ preview: { hosts_changed, rules, tags } }: { readonly preview: TagRulePreview }) {
  const changed = tags.filter(({ gain, lose }) => gain + lose > 0);
  const idle = rules.flatMap(({ hosts }, n) => (hosts === 0 ? [n + 1] : []));
  return (
    <Notice
      tone={tags.some(({ readers, gain, lose }) => readers > 0 && gain + lose > 0) ? 'important' : 'neutral'}
    >
      <p>
        {hosts_changed === 0
          ? 'No host would have other tags than now.'
          : `${hostsInWords(hosts_changed)} would have other tags than now:`}
      </p>
      {changed.length > 0 && (
        <ul aria-label="Tags that would change">
          {changed.map(({ tag, hosts, gain, lose, readers }) => (
            <li key={tag}>
              <strong>
                <ForeignText text={tag} oneLine />
              </strong>
              : {gain > 0 && `${hostsInWords(gain)} would get it`}
              {gain > 0 && lose > 0 && ', '}
              {lose > 0 && `${hostsInWords(lose)} would lose it`}; then {hostsInWords(hosts)} in all.
              {readers > 0 &&
                ` ${amountInWords(readers, 'user or API key is', 'users and API keys are')} limited to this tag and would see other hosts than now.`}
            </li>
          ))}
        </ul>
      )}
      {idle.length > 0 && (
        <p>
          {idle.length === 1 ? 'Rule' : 'Rules'} {idle.join(', ')} {idle.length === 1 ? 'applies' : 'apply'}{' '}
          to no host now.
        </p>
      )}
    </Notice>
  );
}
