import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import styles from '../hosts.module.css';
import { AllFilters } from './all-filters.tsx';
import { FilterSelect } from './filter-select.tsx';
import { filterSpecs } from './filter-specs.ts';
import { HostSearchField } from './host-search-field.tsx';

const quickSpecs = filterSpecs.filter(({ quick }) => quick === true);

/** The search, the most used filters, and a button for all filters. */
export function FilterBar() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <search className={styles['filters']}>
      <div className={styles['search']}>
        <HostSearchField />
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
