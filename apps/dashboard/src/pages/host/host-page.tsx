import { useApi } from '../../api/queries.ts';
import { ForeignText } from '../../design/foreign-text.tsx';
import { Page, Panel } from '../../design/page.tsx';
import { printable } from '../../design/printable.ts';
import { Loaded } from '../../design/states.tsx';
import { ActionBadge } from '../../words/badges.tsx';
import { actionWords } from '../../words/host-words.ts';
import styles from './host.module.css';
import { HostFacts } from './host-facts.tsx';
import { HostNotices } from './host-notices.tsx';
import { HostTabs } from './host-tabs.tsx';
import { PullNow } from './pull-now.tsx';
import { useHostId } from './use-host-search.ts';

/** One host: what to do on it first, then everything that is known of it. */
export function HostPage() {
  const id = useHostId();
  const query = useApi('/hosts/{id}', { params: { id } });
  if (query.data === undefined) {
    return (
      <Page title="Host">
        <Panel title="At a glance">
          <Loaded query={query} what="Loading the host">
            {() => null}
          </Loaded>
        </Panel>
      </Page>
    );
  }
  const host = query.data;
  return (
    <Page
      key={id}
      title={printable(host.display_name, 80)}
      heading={
        <span className={styles['heading']}>
          <span className={styles['name']}>
            <ForeignText text={host.display_name} oneLine />
          </span>
          <ActionBadge action={host.overall_action} />
        </span>
      }
      lead={host.status === 'new' ? 'Nothing is known of it yet.' : actionWords[host.overall_action].meaning}
      actions={host.ssh !== null && host.approval_status === 'approved' ? <PullNow id={id} /> : undefined}
    >
      <HostNotices host={host} />
      <Panel title="At a glance">
        <HostFacts host={host} />
      </Panel>
      <HostTabs host={host} />
    </Page>
  );
}
