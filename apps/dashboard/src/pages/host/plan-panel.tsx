import type { HostDetail, UpgradePlan } from '@plimsoll/contract';
import { CircleCheck, CircleHelp } from 'lucide-react';
import { useApi } from '../../api/queries.ts';
import { CopyField } from '../../design/copy-field.tsx';
import { Panel } from '../../design/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import styles from './host.module.css';
import { PlanLists } from './plan-lists.tsx';
import { PlanOutlook } from './plan-outlook.tsx';

/** What one upgrade would do, and the command for it. */
export function PlanPanel({ host }: { readonly host: HostDetail }) {
  const query = useApi('/hosts/{id}/plan', { params: { id: host.id } });
  return (
    <Panel title="What one upgrade would do">
      <Loaded query={query} what="Loading the plan">
        {(plan) => <Plan plan={plan} />}
      </Loaded>
    </Panel>
  );
}

function Plan({ plan }: { readonly plan: UpgradePlan }) {
  if (plan.snapshot_id === null) {
    return (
      <Empty title="Not known yet" icon={CircleHelp}>
        The host has sent no report that a plan could rest on.
      </Empty>
    );
  }
  const isEmpty = plan.packages.length === 0 && plan.left_out.length === 0;
  if (isEmpty && plan.updates_state === 'known' && plan.stays_open.length === 0) {
    return (
      <Empty title="Nothing" icon={CircleCheck}>
        The host's repositories offer nothing newer than what is installed.
      </Empty>
    );
  }
  return (
    <div className={styles['stack']}>
      <Commands plan={plan} />
      <PlanOutlook plan={plan} />
      <PlanLists plan={plan} />
    </div>
  );
}

const scopeWords = { full: 'Everything', security: 'Security only' };

function Commands({ plan: { commands, packages, package_manager } }: { readonly plan: UpgradePlan }) {
  if (commands.length === 0) {
    return (
      <p>
        {packages.length === 0
          ? 'There is nothing that an upgrade would change.'
          : package_manager === null
            ? 'The host does not say which package manager it has, so there is no command to copy.'
            : 'Some of the names offered are none that a package manager would make, so there is no command to copy.'}
      </p>
    );
  }
  return commands.map(({ scope, command, unpinned, packages: count }) => (
    <div key={scope} className={styles['tight']}>
      <h3>
        {scopeWords[scope]}: {count === 1 ? '1 package' : `${count} packages`}
      </h3>
      <CopyField text={command} what={`command, ${scopeWords[scope].toLowerCase()}`} />
      {unpinned !== null && (
        <>
          <p className={styles['muted']}>
            The command above installs exactly the versions listed here, and fails if a repository has
            replaced one of them. The command below installs the versions that the repositories offer when you
            run it.
          </p>
          <CopyField text={unpinned} what={`command without versions, ${scopeWords[scope].toLowerCase()}`} />
        </>
      )}
    </div>
  ));
}
