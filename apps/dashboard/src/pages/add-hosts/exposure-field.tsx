import { Select } from '../../design/form/fields.tsx';
import { exposureOptions } from '../../words/due-words.ts';

/** What a form says of the exposure of new hosts; `unknown`: nothing. */
export type StatedExposure = 'public' | 'internal' | 'unknown';

interface ExposureFieldProps {
  readonly value: StatedExposure;
  readonly onChange: (value: StatedExposure) => void;
  readonly hint?: string;
}

/** Whether new hosts can be reached from the internet. */
export function ExposureField({ value, onChange, hint }: ExposureFieldProps) {
  return (
    <Select
      label="Reachable from the internet"
      hint={hint ?? 'Due dates can depend on it. “Not known” leaves it to rules for tags.'}
      value={value}
      onChange={onChange}
      options={exposureOptions}
    />
  );
}

/** The exposure as requests have it: null states nothing. */
export function exposureIn(stated: StatedExposure): 'public' | 'internal' | null {
  return stated === 'unknown' ? null : stated;
}
