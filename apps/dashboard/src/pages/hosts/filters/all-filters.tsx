import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import styles from '../hosts.module.css';
import { FilterSelect } from './filter-select.tsx';
import { filterSpecs } from './filter-specs.ts';
import { FilterText } from './filter-text.tsx';

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
