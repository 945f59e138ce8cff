import type { HostDetail, UpgradePlan } from '@plimsoll/contract';
import { CircleCheck, CircleHelp } from 'lucide-react';
import { useApi } from '../../../api/queries.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { areUpdatesKnown, fixableFindings, reasonsInWords, updateGaps } from '../../../words/knowledge.ts';
import { FoldedTable } from '../folded-table.tsx';
import styles from '../host.module.css';
import { isCurrent, noneOffered } from '../updates/none-offered.ts';
import { EvidenceFirst } from './evidence-first.tsx';
import {
  closedAdvisoryColumns,
  leftOutColumns,
  openAdvisoryColumns,
  plannedColumns,
} from './plan-columns.tsx';
import { PlanOutlook } from './plan-outlook.tsx';

/** The effects of one upgrade, and its command. */
export function PlanPanel({ host }: { readonly host: HostDetail }) {
  const query = useApi('/hosts/{id}/plan', { params: { id: host.id } });
  return (
    <Panel title="What one upgrade would do">
      <Loaded query={query} what="Loading the plan">
        {(plan) => <Plan host={host} plan={plan} />}
      </Loaded>
    </Panel>
  );
}

function Plan({ host, plan }: { readonly host: HostDetail; readonly plan: UpgradePlan }) {
  if (plan.snapshot_id === null) {
    return (
      <Empty title="Not known yet" icon={CircleHelp}>
        No report processed yet.
      </Empty>
    );
  }
  const isEmpty =
    plan.packages.length === 0 && plan.left_out.length === 0 && plan.reboot.state === 'not_needed';
  if (isEmpty && areUpdatesKnown(host) && plan.stays_open.length === 0) {
    return (
      <Empty title="Nothing to upgrade" icon={isCurrent(host) ? CircleCheck : CircleHelp}>
        {noneOffered(host)}
      </Empty>
    );
  }
  return (
    <div className={styles['stack']}>
      <EvidenceFirst advisories={plan.forensics_first} />
      <Commands host={host} plan={plan} />
      <PlanOutlook plan={plan} />
      <PlanLists plan={plan} />
    </div>
  );
}

/** Why an upgrade changes nothing: good news only if the updates are known. */
function nothingToChange(host: HostDetail): string {
  if (!areUpdatesKnown(host)) return `Not known: ${reasonsInWords(host, updateGaps, Date.now())}.`;
  return fixableFindings(host) > 0
    ? 'An upgrade would change nothing: the repositories of the host offer none of the published fixes.'
    : 'An upgrade would change nothing.';
}

const scopeWords = { full: 'Everything', security: 'Security only' };

interface CommandsProps {
  readonly host: HostDetail;
  readonly plan: UpgradePlan;
}

function Commands({ host, plan: { commands, packages, package_manager } }: CommandsProps) {
  if (commands.length === 0) {
    return (
      <p>
        {packages.length === 0
          ? nothingToChange(host)
          : package_manager === null
            ? 'The host did not report its package manager, so there is no command to copy.'
            : 'Some package names are not valid, so there is no command to copy.'}
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

/** The lists of a plan, each folded behind its number. */
function PlanLists({ plan }: { readonly plan: UpgradePlan }) {
  return (
    <div className={styles['tight']}>
      <FoldedTable
        label="Packages that change"
        words={['package changes', 'packages change']}
        columns={plannedColumns}
        rows={plan.packages}
        rowId={offerId}
      />
      <FoldedTable
        label="Advisories that are closed"
        words={['advisory is closed', 'advisories are closed']}
        columns={closedAdvisoryColumns}
        rows={plan.closes}
        rowId={({ id, after_reboot }) => `${id}:${after_reboot}`}
      />
      <FoldedTable
        label="Advisories that stay open"
        words={['advisory stays open', 'advisories stay open']}
        columns={openAdvisoryColumns}
        rows={plan.stays_open}
        rowId={({ id, fix_state }) => `${id}:${fix_state}`}
      />
      <FoldedTable
        label="Offers that are left out"
        words={['offer is left out', 'offers are left out']}
        columns={leftOutColumns}
        rows={plan.left_out}
        rowId={offerId}
      />
    </div>
  );
}

interface Offer {
  readonly name: string;
  readonly architecture: string;
  readonly to_version: string;
}

function offerId({ name, architecture, to_version }: Offer): string {
  return `${name}:${architecture}:${to_version}`;
}
