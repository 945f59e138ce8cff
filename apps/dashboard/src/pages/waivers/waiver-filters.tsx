import { waiverKindOrder, waiverKindWords } from '@plimsoll/words';
import { DelayedSearch } from '../../design/form/delayed-search.tsx';
import { Select } from '../../design/form/fields.tsx';
import { LinkedFilter } from '../../design/form/linked-filter.tsx';
import { printable } from '../../design/text/printable.ts';
import { scopeOptions, stateIn, stateOptions, useWaiversSearch } from './use-waivers-search.ts';
import styles from './waivers.module.css';

const kindOptions = [
  ['any', 'Any kind'],
  ...waiverKindOrder.map((kind) => [kind, waiverKindWords[kind].words] as const),
] as const;

/** Filters of the list; the address holds them. */
export function WaiverFilters() {
  const [search, change] = useWaiversSearch();
  const kind = waiverKindOrder.find((known) => known === search.kind) ?? 'any';
  const scope = scopeOptions.find(([known]) => known === search.scope)?.[0] ?? 'any';
  return (
    <search className={styles['filters']} aria-label="Waivers">
      <Select
        label="State"
        hideLabel
        value={stateIn(search)}
        onChange={(state) => change({ state: state === 'active' ? undefined : state })}
        options={stateOptions}
      />
      <div className={styles['wideField']}>
        <DelayedSearch
          label="Search waivers"
          placeholder="Advisory, CVE, package, reason, ticket or person"
          value={search.q ?? ''}
          onSearch={(q) => change({ q })}
        />
      </div>
      <Select
        label="Kind"
        hideLabel
        value={kind}
        onChange={(next) => change({ kind: next === 'any' ? undefined : next })}
        options={kindOptions}
      />
      <Select
        label="Hosts"
        hideLabel
        value={scope}
        onChange={(next) => change({ scope: next === 'any' ? undefined : next })}
        options={scopeOptions}
      />
      {search.names !== undefined && (
        <LinkedFilter
          words={`Of ${printable(search.names, 60)}`}
          onRemove={() => change({ names: undefined })}
        />
      )}
      {search.host !== undefined && (
        <LinkedFilter words="Of one host" onRemove={() => change({ host: undefined })} />
      )}
    </search>
  );
}
