import { useAgeingApi } from '../api/queries.ts';
import { Notice } from '../design/notice.tsx';
import { dueDependsOnIt, dueLimit, kevLimit } from './exploitation-words.ts';

interface KevLimitProps {
  /** Of the element around the notice. */
  readonly className?: string | undefined;
  /** Whether due dates depend on it, too. */
  readonly isAboutDue?: boolean;
}

/** For a list that is filtered by exploitation: what is not known of it while CISA KEV has no data or outdated data. */
export function KevLimit({ className, isAboutDue = false }: KevLimitProps) {
  const feeds = useAgeingApi('/feeds').data;
  const limit = isAboutDue ? dueLimit(feeds) : kevLimit(feeds);
  if (limit === null) return null;
  return (
    <div className={className}>
      <Notice tone="important">{isAboutDue ? `${limit} ${dueDependsOnIt}` : limit}</Notice>
    </div>
  );
}

interface DueLimitProps extends Pick<KevLimitProps, 'className'> {
  /** Whether the list is filtered by exploitation: then the limit of this is said also if due dates do not depend on it. */
  readonly isAboutExploited?: boolean;
}

/** For what shows due dates: that they may be too late, where the policy asks for exploitation by data that is not current. */
export function DueLimit({ className, isAboutExploited = false }: DueLimitProps) {
  const isAboutDue = useAgeingApi('/policies/due-dates').data?.exploitation_unknown === true;
  return isAboutDue || isAboutExploited ? <KevLimit className={className} isAboutDue={isAboutDue} /> : null;
}
