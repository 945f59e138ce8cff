import { severityOrder, severityWords } from '@plimsoll/words';
import { Checkbox, Select } from '../../../design/form/fields.tsx';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';

const severities = [
  ['any', 'Any severity'],
  ...severityOrder.map((severity) => [severity, severityWords[severity].words] as const),
] as const;
const fixes = [
  ['fixed', 'With a fix'],
  ['unfixed', 'Without a fix'],
  ['all', 'With or without a fix'],
] as const;

const waivedOptions = [
  ['no', 'Without waived'],
  ['true', 'With waived'],
  ['only', 'Only waived'],
] as const;

/** Filters of the findings; the address holds them. */
export function FindingFilters() {
  const [{ severity = 'any', fix = 'fixed', negligible, exploited, overdue, waived = 'no' }, change] =
    useHostSearch();
  return (
    <div className={styles['filters']}>
      <div className={styles['choice']}>
        <Select
          label="Severity"
          hideLabel
          value={severity}
          options={severities}
          onChange={(value) =>
            // The API lists negligible findings only on request.
            change({
              severity: value === 'any' ? '' : value,
              ...(value === 'none' && { negligible: 'true', fix: 'all' }),
            })
          }
        />
      </div>
      <div className={styles['choice']}>
        <Select
          label="Fix"
          hideLabel
          value={fix}
          options={fixes}
          onChange={(value) => change({ fix: value === 'fixed' ? '' : value })}
        />
      </div>
      <div className={styles['choice']}>
        <Select
          label="Waived"
          hideLabel
          value={waived}
          options={waivedOptions}
          onChange={(value) => change({ waived: value === 'no' ? '' : value })}
        />
      </div>
      <Checkbox
        isSelected={exploited === 'true'}
        onChange={(selected) => change({ exploited: selected ? 'true' : '' })}
      >
        Exploited only
      </Checkbox>
      <Checkbox
        isSelected={overdue === 'true'}
        onChange={(selected) => change({ overdue: selected ? 'true' : '', ...(selected && { fix: 'all' }) })}
      >
        Overdue only
      </Checkbox>
      <Checkbox
        isSelected={negligible === 'true'}
        onChange={(selected) => change({ negligible: selected ? 'true' : '' })}
      >
        Include negligible
      </Checkbox>
    </div>
  );
}
