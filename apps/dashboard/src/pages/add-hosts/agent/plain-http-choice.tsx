import { Checkbox } from '../../../design/form/fields.tsx';
import styles from '../add-hosts.module.css';

/** Lets an agent use this server without TLS; shown only if the page was opened so. */
export function PlainHttpChoice() {
  if (!isPlainHttp(window.location)) return null;
  return (
    <div>
      <Checkbox name="allow_plain_http">Allow the agent to report without encryption</Checkbox>
      <p className={styles['lead']}>
        This page was opened over plain http. Anyone on the way can then read the host's token and its
        reports. Otherwise the agent refuses an address that does not begin with https://.
      </p>
    </div>
  );
}

/** Whether the server's address is without TLS and not the browser's own machine. */
function isPlainHttp({ protocol, hostname }: Location): boolean {
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
