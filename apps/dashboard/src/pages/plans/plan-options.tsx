import { useNavigate } from '@tanstack/react-router';
import { Checkbox, Select } from '../../design/form/fields.tsx';
import styles from './plans.module.css';
import type { PlansSearch } from './plans-search.ts';

/** How the hosts are planned; kept in the address. */
export function PlanOptions({ search }: { readonly search: PlansSearch }) {
  const navigate = useNavigate({ from: '/plans' });
  const set = (name: keyof PlansSearch, value: string, standard: string): void => {
    const { [name]: _before, ...rest } = search;
    void navigate({ search: value === standard ? rest : { ...rest, [name]: value }, replace: true });
  };
  return (
    <div className={styles['options']}>
      <Select
        label="Upgrades"
        value={search.upgrades ?? 'all'}
        onChange={(value) => set('upgrades', value, 'all')}
        options={[
          ['all', 'All'],
          ['security', 'Security only'],
        ]}
      />
      <Select
        label="Versions"
        value={search.versions ?? 'pinned'}
        onChange={(value) => set('versions', value, 'pinned')}
        options={[
          ['pinned', 'Exactly these'],
          ['newest', 'Newest at run time'],
        ]}
      />
      <Select
        label="Fewest moves close"
        value={search.share ?? '0.8'}
        onChange={(value) => set('share', value, '0.8')}
        options={[
          ['0.5', '50 %'],
          ['0.8', '80 %'],
          ['0.9', '90 %'],
          ['1', '100 %'],
        ]}
      />
      <Checkbox
        isSelected={search.reboot === 'true'}
        onChange={(isAllowed) => set('reboot', String(isAllowed), 'false')}
      >
        Hosts may be rebooted
      </Checkbox>
    </div>
  );
}
