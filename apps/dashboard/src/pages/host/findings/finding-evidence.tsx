import type { VulnerablePackage } from '@plimsoll/contract';
import { noteWords } from '@plimsoll/words';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../host.module.css';

/** Which versions were compared, and which advisories were skipped. */
export function FindingEvidence({ evidence }: Pick<VulnerablePackage, 'evidence'>) {
  const { release, feed, feed_updated_at, comparator, match_name, compared_version, fixed_version, notes } =
    evidence;
  return (
    <section className={styles['stack']}>
      <h3>Why this is vulnerable</h3>
      <p>
        <ForeignText text={match_name} mono /> <ForeignText text={compared_version} mono />{' '}
        {fixed_version === null ? (
          'is affected. No version has a fix.'
        ) : (
          <>
            is older than <ForeignText text={fixed_version} mono />, the first version with all known fixes.
          </>
        )}
      </p>
      <Facts
        facts={[
          ['Release', release ?? '–'],
          ['Feed', feed ?? '–'],
          ['Feed data of', <Time key="read" at={feed_updated_at} />],
          ['Version comparison', comparator ?? '–'],
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
