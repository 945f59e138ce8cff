import type { HostActionName } from '@plimsoll/contract';
import { useState } from 'react';
import { Select } from '../../../design/form/fields.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import { TagsInput } from '../../tags/tags-input.tsx';
import type { BulkAction } from './bulk-actions.ts';

/** What an action takes besides hosts, as the request has it. */
export interface ActionInput {
  readonly tags?: string[];
  readonly exposure?: 'public' | 'internal' | 'unknown' | null;
}

/** The body of POST /hosts/actions without hosts. */
export function requestOf(kind: HostActionName, input: ActionInput) {
  return { action: kind, ...input };
}

const exposures = [
  ['public', 'Yes'],
  ['internal', 'No'],
  ['unknown', 'Not known'],
  ['derived', 'Not set by hand'],
] as const;

/** The input of an action, its fields, and whether it is complete. */
export function useActionInput({ takesTags = false, takesExposure = false }: BulkAction) {
  const [text, setText] = useState('');
  const [exposure, setExposure] = useState<(typeof exposures)[number][0]>('public');
  const tags = tagsIn(text);
  const input: ActionInput = {
    ...(takesTags && { tags }),
    ...(takesExposure && { exposure: exposure === 'derived' ? null : exposure }),
  };
  const fields = (
    <>
      {takesTags && <TagsInput label="Tag" value={text} onChange={setText} isRequired autoFocus />}
      {takesExposure && (
        <Select
          label="Reachable from the internet"
          value={exposure}
          onChange={setExposure}
          options={exposures}
        />
      )}
    </>
  );
  return { input, fields, isComplete: !takesTags || tags.length > 0 };
}
