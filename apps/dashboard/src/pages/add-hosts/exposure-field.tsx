import type { HostExposure } from '@plimsoll/model';
import { exposureWords } from '@plimsoll/words';
import { Select } from '../../design/form/fields.tsx';

/** What a form says of the exposure of new hosts; `unknown`: nothing. */
export type StatedExposure = HostExposure;

const options = Object.entries(exposureWords) as readonly (readonly [HostExposure, string])[]; // its own keys

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
      options={options}
    />
  );
}

/** The exposure as requests have it: null states nothing. */
export function exposureIn(stated: StatedExposure): 'public' | 'internal' | null {
  return stated === 'unknown' ? null : stated;
}
