import { TextField } from '../../design/form/fields.tsx';

interface LimitFieldProps {
  readonly tags?: readonly string[] | null;
  /** Who is limited, as in "exist for the user". */
  readonly who: string;
}

/** The tags that a user or API key is limited to, separated by commas; form field `tags`. */
export function LimitField({ tags = null, who }: LimitFieldProps) {
  return (
    <TextField
      name="tags"
      label="Only hosts with one of these tags"
      maxLength={1000}
      defaultValue={tags?.join(', ') ?? ''}
      hint={`Separate tags with commas. No other host exists for the ${who}. Leave it empty for all hosts.`}
    />
  );
}
