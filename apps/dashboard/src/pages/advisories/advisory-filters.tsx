import { severityOrder, severityWords } from '@plimsoll/words';
import { DelayedSearch } from '../../design/form/delayed-search.tsx';
import { Checkbox, Select } from '../../design/form/fields.tsx';
import { LinkedFilter } from '../../design/form/linked-filter.tsx';
import styles from './advisories.module.css';
import { useAdvisoriesSearch } from './advisories-search.ts';

const severities = [
  ['any', 'Any severity'],
  ...severityOrder.map((severity) => [severity, severityWords[severity].words] as const),
] as const;
const reaches = [
  ['true', 'Affecting my hosts'],
  ['false', 'All advisories'],
] as const;
const orders = [
  ['-published_at', 'Newest first'],
  ['severity', 'Worst first'],
  ['-affected_hosts', 'Most hosts first'],
] as const;

/** Filters that only links set. */
const linkedFilters = [
  ['release', 'Release'],
  ['feed', 'Feed'],
] as const;

/** Filters of the list; the address holds them. */
export function AdvisoryFilters() {
  const [search, change] = useAdvisoriesSearch();
  const affecting = search.affecting !== 'false';
  return (
    <search className={styles['filters']} aria-label="Advisories">
      <div className={styles['wideField']}>
        <DelayedSearch
          label="Search advisories"
          placeholder="Advisory, CVE or words"
          value={search.q ?? ''}
          onSearch={(q) => change({ q })}
        />
      </div>
      <Select
        label="Which advisories"
        hideLabel
        value={affecting ? 'true' : 'false'}
        onChange={(value) => change({ affecting: value === 'false' ? value : undefined, sort: undefined })}
        options={reaches}
      />
      <Select
        label="Severity"
        hideLabel
        value={search.severity ?? 'any'}
        onChange={(severity) => change({ severity: severity === 'any' ? undefined : severity })}
        options={severities}
      />
      {affecting && (
        <Select
          label="Order"
          hideLabel
          value={search.sort ?? '-published_at'}
          onChange={(sort) => change({ sort: sort === '-published_at' ? undefined : sort })}
          options={orders}
        />
      )}
      <Checkbox
        isSelected={search.exploited === 'true'}
        onChange={(exploited) => change({ exploited: exploited ? 'true' : undefined })}
      >
        Known exploited
      </Checkbox>
      {linkedFilters.map(([name, words]) => {
        const value = search[name];
        if (value === undefined) return null;
        const remove = () => change({ [name]: undefined });
        return <LinkedFilter key={name} words={words} value={value} onRemove={remove} />;
      })}
    </search>
  );
}
