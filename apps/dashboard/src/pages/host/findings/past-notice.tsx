import { Notice } from '../../../design/notice.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { HostLink } from '../host-link.tsx';

/** Says that the list shows a past snapshot. */
export function PastNotice({ at }: { readonly at: string }) {
  const isTime = !Number.isNaN(Date.parse(at));
  return (
    <Notice tone="neutral">
      <p>
        Packages installed at {isTime ? <ExactTime at={at} /> : 'that time'}, checked against today's
        advisories. <HostLink search={{ tab: 'vulnerable' }}>Show current findings</HostLink>
      </p>
    </Notice>
  );
}
