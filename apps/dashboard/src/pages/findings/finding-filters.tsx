import { fixWords, severityOrder, severityWords } from '@plimsoll/words';
import { DelayedSearch } from '../../design/form/delayed-search.tsx';
import { Checkbox, Select } from '../../design/form/fields.tsx';
import { LinkedFilter } from '../../design/form/linked-filter.tsx';
import { findingQueryOf, fixOrder, groupingIn } from './finding-query.ts';
import styles from './findings.module.css';
import { type FindingsSearch, useFindingsSearch } from './findings-search.ts';

const groupings = [
  ['advisory', 'By advisory'],
  ['cve', 'By CVE'],
  ['package', 'By source package'],
  ['host', 'By host'],
] as const;
const severities = [
  ['any', 'Any severity'],
  ...severityOrder
    .filter((severity) => severity !== 'none' && severity !== 'unrated')
    .map(
      (severity, place) =>
        [severity, place === 0 ? 'Critical' : `${severityWords[severity].words} or worse`] as const,
    ),
] as const;
const states = [
  ['any', 'Any fix state'],
  ...fixOrder.map((state) => [state, fixWords[state].words] as const),
] as const;

const waivedOptions = [
  ['without', 'Without waived'],
  ['with', 'With waived'],
  ['only', 'Only waived'],
] as const;

function waivedIn({ include_waived, only_waived }: FindingsSearch): (typeof waivedOptions)[number][0] {
  if (only_waived === 'true') return 'only';
  return include_waived === 'true' ? 'with' : 'without';
}

/** Filters that only links set. */
const linkedFilters = [
  ['tag', 'Tag'],
  ['advisory', 'Advisory'],
  ['cve', 'CVE'],
  ['package', 'Source package'],
  ['host', 'Host'],
  ['first_seen_before', 'First seen before'],
] as const;

/** Filters of the list; the address holds them. */
export function FindingFilters() {
  const [search, change] = useFindingsSearch();
  const { severity = 'any', fix_state = 'any' } = findingQueryOf(search);
  const flag = (name: 'known_exploited' | 'overdue', words: string) => (
    <Checkbox
      isSelected={search[name] === 'true'}
      onChange={(isSet) => change({ [name]: isSet ? 'true' : undefined })}
    >
      {words}
    </Checkbox>
  );
  return (
    <search className={styles['filters']} aria-label="Findings">
      <Select
        label="Grouping"
        hideLabel
        value={groupingIn(search)}
        onChange={(grouping) => change({ group_by: grouping === 'advisory' ? undefined : grouping })}
        options={groupings}
      />
      <div className={styles['wideField']}>
        <DelayedSearch
          label="Search findings"
          placeholder="Advisory, CVE, package or words"
          value={search.q ?? ''}
          onSearch={(q) => change({ q })}
        />
      </div>
      <Select
        label="Severity"
        hideLabel
        value={severity}
        onChange={(chosen) => change({ severity: chosen === 'any' ? undefined : chosen })}
        options={severities}
      />
      <Select
        label="Fix state"
        hideLabel
        value={fix_state}
        onChange={(state) => change({ fix_state: state === 'any' ? undefined : state })}
        options={states}
      />
      {flag('known_exploited', 'Known exploited')}
      {flag('overdue', 'Overdue')}
      <Select
        label="Waived"
        hideLabel
        value={waivedIn(search)}
        onChange={(choice) =>
          change({
            include_waived: choice === 'with' ? 'true' : undefined,
            only_waived: choice === 'only' ? 'true' : undefined,
          })
        }
        options={waivedOptions}
      />
      {linkedFilters.map(([name, words]) => {
        const value = search[name];
        if (value === undefined) return null;
        const remove = () => change({ [name]: undefined });
        return <LinkedFilter key={name} words={words} value={value} onRemove={remove} />;
      })}
    </search>
  );
}
