import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { DelayedSearch } from '../../../design/form/delayed-search.tsx';
import { Select, TextField } from '../../../design/form/fields.tsx';
import styles from '../hosts.module.css';
import { useHostsSearch } from '../hosts-search.ts';
import { type FilterSpec, filterSpecs } from './filter-specs.ts';

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

/** Side dialog with all filters; the list changes with them. */
function AllFilters({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="Filters" isOpen={isOpen} onClose={onClose} side>
      <div className={styles['all']}>
        {filterSpecs.map((spec) =>
          spec.options === null ? (
            <FilterText key={spec.name} spec={spec} />
          ) : (
            <FilterSelect key={spec.name} spec={spec} />
          ),
        )}
        <Button look="primary" onPress={onClose}>
          Show the hosts
        </Button>
      </div>
    </Dialog>
  );
}

/** A text filter; applies when the field loses focus. */
function FilterText({ spec: { name, label } }: { readonly spec: FilterSpec }) {
  const [search, change] = useHostsSearch();
  const [text, setText] = useState(search[name] ?? '');
  return (
    <TextField
      label={label}
      hint="Must match exactly"
      value={text}
      onChange={setText}
      onBlur={() => change({ [name]: text.trim() })}
      maxLength={100}
    />
  );
}

const any = 'any';

/** A filter with a few values. In the bar its first option shows its name. */
function FilterSelect({ spec, isQuick = false }: { readonly spec: FilterSpec; readonly isQuick?: boolean }) {
  const [search, change] = useHostsSearch();
  const { name, label, options } = spec;
  const value = search[name];
  return (
    <Select
      label={label}
      hideLabel={isQuick}
      value={options?.some(([known]) => known === value) === true && value !== undefined ? value : any}
      onChange={(chosen) => change({ [name]: chosen === any ? '' : chosen })}
      options={[[any, isQuick ? `${label}: any` : 'Any'], ...(options ?? [])]}
    />
  );
}
