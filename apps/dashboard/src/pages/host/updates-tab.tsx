import type { HostDetail } from '@plimsoll/contract';
import { CircleCheck, CircleHelp, SearchX } from 'lucide-react';
import { useApi } from '../../api/queries.ts';
import { Checkbox } from '../../design/fields.tsx';
import { LongTable } from '../../design/long-table.tsx';
import { Notice } from '../../design/notice.tsx';
import { Panel } from '../../design/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { updatesWords } from '../../words/host-words.ts';
import { Disagreements } from './disagreements.tsx';
import { Downgrades } from './downgrades.tsx';
import styles from './host.module.css';
import { PlanPanel } from './plan-panel.tsx';
import { updateColumns, updateId } from './update-columns.tsx';
import { useHostSearch } from './use-host-search.ts';

/** What the host's package manager offers, and what taking it would do. */
export function UpdatesTab({ host }: { readonly host: HostDetail }) {
  const [{ security }, change] = useHostSearch();
  const query = useApi('/hosts/{id}/packages/upgradable', {
    params: { id: host.id },
    query: { security: security === undefined ? undefined : 'true' },
  });
  const { updates_state } = host;
  return (
    <div className={styles['stack']}>
      {updates_state !== 'known' && host.status !== 'new' && (
        <Notice tone="important">
          <p>
            What is listed may not be all. {updatesWords[updates_state].meaning} Refresh them on the host
            {host.os_family === 'apt' ? ' with "apt-get update"' : ''}, then let it report again.
          </p>
        </Notice>
      )}
      <PlanPanel host={host} />
      <Panel
        title="Updates offered"
        actions={
          <Checkbox
            isSelected={security === 'true'}
            onChange={(selected) => change({ security: selected ? 'true' : '' })}
          >
            For security only
          </Checkbox>
        }
        flush
      >
        <Loaded query={query} what="Loading the updates">
          {(rows) =>
            rows.length === 0 ? (
              <NoUpdates host={host} />
            ) : (
              <LongTable label="Updates offered" columns={updateColumns} rows={rows} rowId={updateId} />
            )
          }
        </Loaded>
      </Panel>
      <Downgrades host={host} />
      {host.disagreement_count > 0 && <Disagreements host={host} />}
    </div>
  );
}

function NoUpdates({ host }: { readonly host: HostDetail }) {
  const [{ security }] = useHostSearch();
  if (security !== undefined && host.available_updates > 0) {
    return (
      <Empty title="None for security" icon={SearchX}>
        The package manager calls none of the waiting updates a security update.
      </Empty>
    );
  }
  if (host.updates_state === 'known') {
    return (
      <Empty title="Up to date" icon={CircleCheck}>
        The host's repositories offer nothing newer than what is installed.
      </Empty>
    );
  }
  return (
    <Empty title="Not known" icon={CircleHelp}>
      Zero means here that we do not know. {updatesWords[host.updates_state].meaning}
    </Empty>
  );
}
