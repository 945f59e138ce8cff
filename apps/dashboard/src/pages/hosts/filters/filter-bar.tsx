import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { DelayedSearch } from '../../../design/form/delayed-search.tsx';
import styles from '../hosts.module.css';
import { useHostsSearch } from '../use-hosts-search.ts';
import { AllFilters } from './all-filters.tsx';
import { FilterSelect } from './filter-select.tsx';
import { filterSpecs } from './filter-specs.ts';

const quickSpecs = filterSpecs.filter(({ quick }) => quick === true);

/** The search, the most used filters, and a button for all filters. */
export function FilterBar() {
  const [{ q = '' }, change] = useHostsSearch();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <search className={styles['filters']}>
      <div className={styles['search']}>
        <DelayedSearch
          label="Search by name, hostname or address"
          maxLength={253}
          value={q}
          onSearch={(next) => change({ q: next })}
        />
      </div>
      {quickSpecs.map((spec) => (
        <div key={spec.name} className={styles['quick']}>
          <FilterSelect spec={spec} isQuick />
        </div>
      ))}
      <Button onPress={() => setIsOpen(true)}>
        <ListFilter aria-hidden /> All filters
      </Button>
      <AllFilters isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </search>
  );
}
