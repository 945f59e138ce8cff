import { useSession } from '../../api/session.ts';
import { printable } from '../../design/text/printable.ts';
import { TagsInput } from '../tags/tags-input.tsx';

/** Tags of new hosts; form field `tags`. A user who is limited to tags is told which of them are needed. */
export function TagsField() {
  const own = useSession()?.user.tags ?? null;
  const mustName = own !== null && own.length > 1;
  const words = own?.map((tag) => printable(tag, 60)).join(', ');
  return (
    <TagsInput
      name="tags"
      label="Tags"
      isRequired={mustName}
      hint={
        own === null
          ? 'Optional. Separate tags with commas.'
          : mustName
            ? `Separate tags with commas. You see only hosts with one of these: ${words}. Name at least one of them.`
            : `Optional. Separate tags with commas. The tag ${words} is added: you see only hosts that have it.`
      }
    />
  );
}
