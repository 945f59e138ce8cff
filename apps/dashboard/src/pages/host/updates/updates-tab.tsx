import type { HostDetail } from '@plimsoll/contract';
import { refreshWords } from '@plimsoll/words';
import { CircleCheck, CircleHelp, SearchX } from 'lucide-react';
import { useApi } from '../../../api/queries.ts';
import { Checkbox } from '../../../design/form/fields.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import {
  areFindingsKnown,
  areUpdatesKnown,
  blindingGaps,
  fixableFindings,
  reasonsInWords,
  sentence,
  updateGaps,
} from '../../../words/knowledge.ts';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';
import { PlanPanel } from '../plan/plan-panel.tsx';
import { Disagreements } from './disagreements.tsx';
import { isCurrent, noneOffered } from './none-offered.ts';
import { updateColumns, updateId } from './update-columns.tsx';

/** The updates that the host's package manager offers, and their effects. */
export function UpdatesTab({ host }: { readonly host: HostDetail }) {
  const [{ security }, change] = useHostSearch();
  const query = useApi('/hosts/{id}/packages/upgradable', {
    params: { id: host.id },
    query: { security: security === undefined ? undefined : 'true' },
  });
  return (
    <div className={styles['stack']}>
      {!areUpdatesKnown(host) && host.status !== 'new' && <MayBeMoreUpdates host={host} />}
      <PlanPanel host={host} />
      <Panel
        title="Updates offered"
        actions={
          <Checkbox
            isSelected={security === 'true'}
            onChange={(selected) => change({ security: selected ? 'true' : '' })}
          >
            Security only
          </Checkbox>
        }
        flush
      >
        <Loaded query={query} what="Loading the updates">
          {(rows) =>
            rows.length === 0 ? (
              <NoUpdates host={host} />
            ) : (
              <>
                {!areFindingsKnown(host) && (
                  <p className={styles['padded']}>
                    Updates may fix more than what is listed: {reasonsInWords(host, blindingGaps, Date.now())}
                    .
                  </p>
                )}
                {host.phased_updates > 0 && (
                  <p className={styles['padded']}>
                    {host.phased_updates} of them are phased: their publisher offers them to other hosts
                    first.
                  </p>
                )}
                <LongTable label="Updates offered" columns={updateColumns} rows={rows} rowId={updateId} />
              </>
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
      <Empty title="No security updates" icon={SearchX}>
        {areFindingsKnown(host)
          ? 'No available update is a security update.'
          : `The package manager marks no update as a security update. The advisories cannot confirm this: ${reasonsInWords(host, blindingGaps, Date.now())}.`}
      </Empty>
    );
  }
  return <NoUpdatesAtAll host={host} />;
}

/** Says "up to date" only if package lists, repositories and findings are known. */
function NoUpdatesAtAll({ host }: { readonly host: HostDetail }) {
  if (!areUpdatesKnown(host)) {
    return (
      <Empty title="Not known" icon={CircleHelp}>
        {sentence(reasonsInWords(host, updateGaps, Date.now()))} No update is listed, but there may be some.
      </Empty>
    );
  }
  const fixable = fixableFindings(host);
  if (fixable > 0) {
    return (
      <Empty title="The repositories offer no updates" icon={CircleHelp}>
        {fixable === 1 ? '1 finding has' : `${fixable} findings have`} a published fix, but no repository of
        the host offers it. Check that its repositories are enabled, current and complete.
      </Empty>
    );
  }
  return (
    <Empty title="No updates offered" icon={isCurrent(host) ? CircleCheck : CircleHelp}>
      {noneOffered(host)}
    </Empty>
  );
}

function MayBeMoreUpdates({ host }: { readonly host: HostDetail }) {
  const { gaps, os_family } = host;
  const isAboutLists = gaps.includes('package_lists_outdated') || gaps.includes('package_lists_unknown');
  return (
    <Notice tone="important">
      <p>
        There may be more updates than listed: {reasonsInWords(host, updateGaps, Date.now())}.
        {isAboutLists &&
          ` Refresh the package lists on the host${refreshWords[os_family]}, then let it report again.`}
      </p>
    </Notice>
  );
}

/** Offered versions that are lower than the installed ones; renders nothing without any. */
function Downgrades({ host }: { readonly host: HostDetail }) {
  const { data: rows = [] } = useApi('/hosts/{id}/packages/upgradable', {
    params: { id: host.id },
    query: { downgrades: 'true' },
  });
  if (rows.length === 0) return null;
  return (
    <Panel title="Downgrades offered" flush>
      <p className={styles['muted']}>
        The repositories offer a lower version than the installed one. These are no updates and are not
        counted.
      </p>
      <LongTable label="Downgrades offered" columns={updateColumns} rows={rows} rowId={updateId} />
    </Panel>
  );
}
