import type { UpgradePlan } from '@plimsoll/contract';
import { FoldedTable } from '../folded-table.tsx';
import styles from '../host.module.css';
import {
  closedAdvisoryColumns,
  leftOutColumns,
  openAdvisoryColumns,
  plannedColumns,
} from './plan-columns.tsx';

/** The lists of a plan, each folded behind its number. */
export function PlanLists({ plan }: { readonly plan: UpgradePlan }) {
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
