import { useState } from 'react';
import { TagsInput } from '../tags/tags-input.tsx';

interface LimitFieldProps {
  readonly tags?: readonly string[] | null;
  /** Who is limited, as in "exist for the user". */
  readonly who: string;
}

/** The tags that a user or API key is limited to, separated by commas; form field `tags`. Suggests existing ones. */
export function LimitField({ tags = null, who }: LimitFieldProps) {
  const [text, setText] = useState(tags?.join(', ') ?? '');
  return (
    <TagsInput
      name="tags"
      label="Only hosts with one of these tags"
      value={text}
      onChange={setText}
      hint={`Separate tags with commas. No other host exists for the ${who}. Leave it empty for all hosts.`}
    />
  );
}
