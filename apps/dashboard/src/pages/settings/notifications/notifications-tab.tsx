import { useApi } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../api/session.ts';
import { Loaded } from '../../../design/states.tsx';
import styles from '../settings.module.css';
import { BulletinsPanel } from './bulletins-panel.tsx';
import { ChannelsPanel } from './channels-panel.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { FailedEvents } from './failed-events.tsx';
import { MissingLinks } from './missing-links.tsx';
import { RoutesPanel } from './routes-panel.tsx';

/** Where notifications go, which events, and what became of each message. */
export function NotificationsTab() {
  const channels = useApi('/channels');
  const isAdmin = useMay('admin');
  const isLimited = useSession()?.user.tags != null;
  return (
    <div className={styles['stack']}>
      {isAdmin && <FailedEvents />}
      {!isLimited && <MissingLinks />}
      <Loaded query={channels} what="Loading the channels">
        {(rows) => (
          <div className={styles['stack']}>
            <ChannelsPanel channels={rows} />
            <RoutesPanel channels={rows} />
            <BulletinsPanel channels={rows} />
          </div>
        )}
      </Loaded>
      <DeliveriesPanel channels={channels.data ?? []} />
    </div>
  );
}
