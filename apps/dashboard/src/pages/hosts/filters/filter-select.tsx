import { Select } from '../../../design/form/fields.tsx';
import { useHostsSearch } from '../use-hosts-search.ts';
import type { FilterSpec } from './filter-specs.ts';

const any = 'any';

/** A filter with a few values. In the bar its first option shows its name. */
export function FilterSelect({
  spec,
  isQuick = false,
}: {
  readonly spec: FilterSpec;
  readonly isQuick?: boolean;
}) {
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
