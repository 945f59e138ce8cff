import type { VulnerablePackage } from '@plimsoll/contract';
import { Facts } from '../../design/facts.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import { Time } from '../../design/time.tsx';
import { noteWords } from '../../words/package-words.ts';
import styles from './host.module.css';

/** What was compared with what, and what was passed over on the way. */
export function FindingEvidence({ evidence }: Pick<VulnerablePackage, 'evidence'>) {
  const { release, feed, feed_updated_at, comparator, match_name, compared_version, fixed_version, notes } =
    evidence;
  return (
    <section className={styles['stack']}>
      <h3>Why it counts</h3>
      <p>
        <ForeignText text={match_name} mono /> <ForeignText text={compared_version} mono />{' '}
        {fixed_version === null ? (
          'is affected, and no version has a fix.'
        ) : (
          <>
            is older than <ForeignText text={fixed_version} mono />, the first with every fix that there is.
          </>
        )}
      </p>
      <Facts
        facts={[
          ['Release', release ?? '–'],
          ['Feed', feed ?? '–'],
          ['Feed read', <Time key="read" at={feed_updated_at} />],
          ['Versions ordered by the rules of', comparator ?? '–'],
        ]}
      />
      {notes.length > 0 && (
        <ul className={styles['list']}>
          {notes.map(({ code, detail }) => (
            <li key={code + detail}>
              {noteWords(code)}: <ForeignText text={detail} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
