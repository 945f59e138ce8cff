import { useApi } from '../../../api/queries.ts';
import { Notice } from '../../../design/notice.tsx';

/** Says what to set if messages cannot contain links; nothing if they do, or while that is not known. */
export function MissingLinks() {
  const { data: system } = useApi('/system');
  if (system === undefined || system.public_url !== null) return null;
  return (
    <Notice tone="neutral">
      <p>
        <strong>Messages and reports contain no links:</strong> the service does not know its own address. Set{' '}
        <code>api.public_url</code> (<code>PLIMSOLL_API_PUBLIC_URL</code> in its environment) to the address
        at which you open this page, for example <code>{window.location.origin}</code>, and restart the
        service.
      </p>
    </Notice>
  );
}
