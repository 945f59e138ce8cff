import { Notice } from '../../../design/notice.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';

/** Advisories that are named. */
const mostNamed = 5;

/** Before a host is changed for which a rule of the due dates asks for forensics; nothing for other hosts. */
export function EvidenceFirst({ advisories }: { readonly advisories: readonly string[] }) {
  if (advisories.length === 0) return null;
  const more = advisories.length - mostNamed;
  return (
    <Notice tone="important">
      <p>
        <strong>Take the evidence first.</strong> The due dates ask for a forensic examination of this host
        because of <ForeignText text={advisories.slice(0, mostNamed).join(', ')} />
        {more > 0 && ` and ${more} more`}. Take memory, processes and network connections before anything is
        changed, then logs and files.
      </p>
    </Notice>
  );
}
