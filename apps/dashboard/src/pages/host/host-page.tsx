import { SearchX } from 'lucide-react';
import { ApiProblem } from '../../api/problem.ts';
import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { actionReason } from '../../words/action-reason.ts';
import { HostActionBadge } from '../../words/badges.tsx';
import { MakeEvidence } from '../evidence/make-evidence.tsx';
import styles from './host.module.css';
import { HostFacts } from './host-facts.tsx';
import { HostTabs, tabWords } from './host-tabs.tsx';
import { HostNotices } from './notices/host-notices.tsx';
import { PullNow } from './pulls/pull-now.tsx';
import { useHostId, useHostSearch } from './use-host-search.ts';

/** One host: the recommended action first, then all its data. */
export function HostPage() {
  const id = useHostId();
  const [{ tab }] = useHostSearch();
  const query = useApi('/hosts/{id}', { params: { id } });
  if (query.error instanceof ApiProblem && query.error.status === 404) return <HostGone />;
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
      title={`${printable(host.display_name, 80)} · ${tabWords(host, tab)}`}
      heading={
        <span className={styles['heading']}>
          <span className={styles['name']}>
            <ForeignText text={host.display_name} oneLine />
          </span>
          <HostActionBadge host={host} />
        </span>
      }
      lead={host.status === 'new' ? 'No report processed yet.' : actionReason(host, Date.now())}
      actions={
        <>
          <MakeEvidence subject={{ host: id }} words={`the host ${host.display_name}`} />
          {host.ssh !== null && host.approval_status === 'approved' && <PullNow id={id} />}
        </>
      }
    >
      <HostNotices host={host} />
      <Panel title="At a glance">
        <HostFacts host={host} />
      </Panel>
      <HostTabs host={host} />
    </Page>
  );
}

/** Also shown when the host is deleted while its page is open. */
function HostGone() {
  return (
    <Page title="Host">
      <Empty
        title="Host not found"
        icon={SearchX}
        action={
          <LinkButton to="/hosts" search={{}}>
            All hosts
          </LinkButton>
        }
      >
        The host was deleted, or the address is wrong.
      </Empty>
    </Page>
  );
}
