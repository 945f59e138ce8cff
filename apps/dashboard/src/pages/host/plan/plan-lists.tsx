import type { UpgradePlan } from '@plimsoll/contract';
import { LongTable } from '../../../design/table/long-table.tsx';
import { Fold } from '../fold.tsx';
import styles from '../host.module.css';
import {
  closedAdvisoryColumns,
  leftOutColumns,
  openAdvisoryColumns,
  plannedColumns,
} from './plan-columns.tsx';

/** The lists of a plan, each folded behind its number. */
export function PlanLists({ plan }: { readonly plan: UpgradePlan }) {
  const { packages, closes, stays_open, left_out } = plan;
  return (
    <div className={styles['tight']}>
      {packages.length > 0 && (
        <Fold
          words={amount(packages.length, 'package changes', 'packages change')}
          content={() => (
            <LongTable
              label="Packages that change"
              columns={plannedColumns}
              rows={packages}
              rowId={({ name, architecture, to_version }) => `${name}:${architecture}:${to_version}`}
            />
          )}
        />
      )}
      {closes.length > 0 && (
        <Fold
          words={amount(closes.length, 'advisory is closed', 'advisories are closed')}
          content={() => (
            <LongTable
              label="Advisories that are closed"
              columns={closedAdvisoryColumns}
              rows={closes}
              rowId={({ id, after_reboot }) => `${id}:${after_reboot}`}
            />
          )}
        />
      )}
      {stays_open.length > 0 && (
        <Fold
          words={amount(stays_open.length, 'advisory stays open', 'advisories stay open')}
          content={() => (
            <LongTable
              label="Advisories that stay open"
              columns={openAdvisoryColumns}
              rows={stays_open}
              rowId={({ id, fix_state }) => `${id}:${fix_state}`}
            />
          )}
        />
      )}
      {left_out.length > 0 && (
        <Fold
          words={amount(left_out.length, 'offer is left out', 'offers are left out')}
          content={() => (
            <LongTable
              label="Offers that are left out"
              columns={leftOutColumns}
              rows={left_out}
              rowId={({ name, architecture, to_version }) => `${name}:${architecture}:${to_version}`}
            />
          )}
        />
      )}
    </div>
  );
}

function amount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
