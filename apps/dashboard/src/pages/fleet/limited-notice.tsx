import { useSession } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';

/** Says that the numbers are not those of the whole fleet, for users who are limited to tags. */
export function LimitedNotice() {
  const tags = useSession()?.user.tags ?? null;
  if (tags === null) return null;
  return (
    <Notice tone="neutral">
      <p>
        You see only hosts tagged <ForeignText text={tags.join(' or ')} oneLine />. All numbers and lists are
        of these hosts.
      </p>
    </Notice>
  );
}
