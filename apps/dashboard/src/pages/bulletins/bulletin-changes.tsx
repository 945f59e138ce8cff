import type { BulletinContents } from '@plimsoll/contract';
import { openWords } from '@plimsoll/words';
import { amountInWords, groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { ExactTime } from '../../design/time/time.tsx';

/** What changed since the last report that was delivered. */
export function BulletinChanges({ contents }: { readonly contents: BulletinContents }) {
  const { changes, hosts, open } = contents;
  if (changes === null)
    return (
      <Panel title="What changed">
        <p>There is no earlier report about the same hosts to compare with.</p>
      </Panel>
    );
  const { since, added, added_first, gone, gone_first } = changes;
  return (
    <Panel title="What changed">
      <p>
        Compared with <ExactTime at={since} />: {hostsInWords(changes.hosts)} then, {groupedNumber(hosts)}{' '}
        now.
      </p>
      <ul>
        {open.map(({ severity, findings }) => (
          <li key={severity}>
            {openWords[severity].words}: {groupedNumber(changes.findings[severity] ?? 0)} →{' '}
            {groupedNumber(findings)}
          </li>
        ))}
      </ul>
      {gone === null ? (
        <p>There were too many advisories to say which are new.</p>
      ) : (
        <>
          <p>
            {added === 0
              ? 'No new advisory is known.'
              : `${amountInWords(added, 'advisory', 'advisories')} new: `}
            <ForeignText text={added_first.map(({ key }) => key).join(', ')} />
            {added > added_first.length && ` and ${groupedNumber(added - added_first.length)} more`}
          </p>
          <p>
            {gone === 0
              ? 'No advisory has left the list.'
              : `${amountInWords(gone, 'advisory', 'advisories')} left the list (patched, waived, withdrawn, or the hosts are gone): `}
            <ForeignText text={gone_first.join(', ')} />
            {gone > gone_first.length && ` and ${groupedNumber(gone - gone_first.length)} more`}
          </p>
        </>
      )}
    </Panel>
  );
}
