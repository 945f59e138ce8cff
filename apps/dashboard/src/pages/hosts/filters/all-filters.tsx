import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import styles from '../hosts.module.css';
import { useHostsSearch } from '../use-hosts-search.ts';
import { FilterSelect } from './filter-select.tsx';
import type { FilterSpec } from './filter-specs.ts';
import { filterSpecs } from './filter-specs.ts';

/** Side dialog with all filters; the list changes with them. */
export function AllFilters({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
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
