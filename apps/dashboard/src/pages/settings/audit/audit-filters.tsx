import { auditActionOptions } from '@plimsoll/words';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Select, TextField } from '../../../design/form/fields.tsx';
import styles from '../settings.module.css';
import { useSettingsSearch } from '../settings-search.ts';

/** Filters of the audit log; the address holds them. */
export function AuditFilters() {
  const [search, change] = useSettingsSearch();
  const { actor, action, target, from, to } = search;
  const isNarrowed = [actor, action, target, from, to].some((value) => value !== undefined && value !== '');
  return (
    <div className={styles['filters']}>
      <Entry
        label="Who"
        hint="E-mail, name or id"
        value={actor}
        onChange={(value) => change({ actor: value })}
      />
      <ActionSelect />
      <Entry
        label="To what"
        hint="Id: follow a link in the list"
        value={target}
        onChange={(value) => change({ target: value })}
      />
      <TextField
        label="From"
        hint="That day included"
        type="date"
        value={from ?? ''}
        onChange={(value) => change({ from: value })}
      />
      <TextField
        label="To"
        hint="That day included"
        type="date"
        value={to ?? ''}
        onChange={(value) => change({ to: value })}
      />
      {isNarrowed && (
        <div>
          <Button
            look="quiet"
            onPress={() => change({ actor: '', action: '', target: '', from: '', to: '' })}
          >
            Clear the filters
          </Button>
        </div>
      )}
    </div>
  );
}

function ActionSelect() {
  const [{ action = '' }, change] = useSettingsSearch();
  const isListed = auditActionOptions.some(([value]) => value === action);
  const options = isListed ? auditActionOptions : [...auditActionOptions, [action, action] as const];
  return (
    <Select
      label="What"
      hint="Kind of action"
      value={action}
      onChange={(value) => change({ action: value })}
      options={options}
    />
  );
}

interface EntryProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A text field that applies on Enter or when it loses focus: the API compares whole values. */
function Entry({ value = '', ...props }: EntryProps) {
  return <Draft key={value} value={value} {...props} />;
}

function Draft({ label, hint, value, onChange }: EntryProps & { readonly value: string }) {
  const [draft, setDraft] = useState(value);
  const settle = () => {
    if (draft.trim() !== value) onChange(draft.trim());
  };
  return (
    <TextField
      label={label}
      hint={hint}
      value={draft}
      maxLength={254}
      onChange={setDraft}
      onBlur={settle}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}
