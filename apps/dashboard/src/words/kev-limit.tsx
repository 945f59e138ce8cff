import { useApi } from '../api/queries.ts';
import { Notice } from '../design/notice.tsx';
import { kevLimit } from './exploitation-words.ts';

interface KevLimitProps {
  /** Of the element around the notice. */
  readonly className?: string | undefined;
}

/** For a list that is filtered by exploitation: what is not known of it while CISA KEV has no data or outdated data. */
export function KevLimit({ className }: KevLimitProps) {
  const limit = kevLimit(useApi('/feeds').data);
  if (limit === null) return null;
  return (
    <div className={className}>
      <Notice tone="important">{limit}</Notice>
    </div>
  );
}
