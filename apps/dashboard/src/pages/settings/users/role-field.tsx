import type { User } from '@plimsoll/contract';
import { roleOptions, roleWords } from '@plimsoll/words';
import { Select } from '../../../design/form/fields.tsx';

interface RoleFieldProps {
  readonly value: User['role'];
  readonly onChange: (role: User['role']) => void;
}

/** A choice of role, with its permissions. */
export function RoleField({ value, onChange }: RoleFieldProps) {
  return (
    <Select
      label="Role"
      value={value}
      onChange={onChange}
      options={roleOptions}
      hint={roleWords[value].meaning}
    />
  );
}
