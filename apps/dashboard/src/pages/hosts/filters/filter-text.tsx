import { useState } from 'react';
import { TextField } from '../../../design/form/fields.tsx';
import { useHostsSearch } from '../use-hosts-search.ts';
import type { FilterSpec } from './filter-specs.ts';

/** A text filter; applies when the field loses focus. */
export function FilterText({ spec: { name, label } }: { readonly spec: FilterSpec }) {
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
