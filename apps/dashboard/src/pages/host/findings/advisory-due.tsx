import type { Due } from '@plimsoll/contract';
import { assumptionWords, clockWords, undatedWords } from '@plimsoll/words';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../host.module.css';

/** By when an advisory is to be closed, and why. */
export function AdvisoryDue({ due }: { readonly due: Due }) {
  const { at, undated, rule, days, clock, started_at, forensics, cve, assumptions } = due;
  return (
    <div className={styles['muted']}>
      <p>
        {at === null ? (
          undatedWords[undated ?? 'no_rule']
        ) : (
          <>
            {Date.parse(at) <= Date.now() ? 'Overdue since ' : 'Due '}
            <ExactTime at={at} />: {days} {days === 1 ? 'day' : 'days'} after{' '}
            {clockWords[clock ?? 'published']}
            {started_at !== null && (
              <>
                {' on '}
                <ExactTime at={started_at} />
              </>
            )}
          </>
        )}
        {rule !== null && ` (rule ${rule}`}
        {rule !== null && cve !== null && (
          <>
            {' for '}
            <ForeignText text={cve} oneLine />
          </>
        )}
        {rule !== null && ')'}
        {forensics && '. The host is to be examined for traces of an attack before it is changed'}.
      </p>
      {assumptions.map((assumption) => (
        <p key={assumption}>{assumptionWords[assumption]}</p>
      ))}
    </div>
  );
}
