import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { printable } from '../../design/text/printable.ts';
import { tagsIn } from '../../words/tag-list.ts';
import styles from './tags-input.module.css';

interface TagsInputProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The name in the surrounding form. */
  readonly name?: string;
  /** Whether the field takes several tags with commas between them. */
  readonly many?: boolean;
  /** The text, if the caller keeps it. */
  readonly value?: string;
  readonly onChange?: (text: string) => void;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  /** Whether existing tags are offered before anything is typed. */
  readonly offerAtOnce?: boolean;
}

/** Tags shown while typing. */
const shown = '6';

/** A field for tags, with the existing ones that match what is typed. */
export function TagsInput(props: TagsInputProps) {
  const { label, hint, name, many = true, value, onChange, offerAtOnce = false, ...rest } = props;
  const [own, setOwn] = useState('');
  const text = value ?? own;
  const change = onChange ?? setOwn;
  return (
    <div>
      <TextField
        {...rest}
        label={label}
        {...(hint !== undefined && { hint })}
        {...(name !== undefined && { name })}
        value={text}
        onChange={change}
        maxLength={many ? 1000 : 100}
        autoComplete="off"
      />
      <TagSuggestions text={text} many={many} offerAtOnce={offerAtOnce} onChoose={change} />
    </div>
  );
}

interface TagSuggestionsProps {
  readonly text: string;
  readonly many: boolean;
  readonly offerAtOnce: boolean;
  readonly onChoose: (text: string) => void;
}

/** Buttons that complete the last tag of a text. */
function TagSuggestions({ text, many, offerAtOnce, onChoose }: TagSuggestionsProps) {
  const start = many ? text.lastIndexOf(',') + 1 : 0;
  const typed = text.slice(start).trim();
  const before = text.slice(0, start);
  const isOffered = typed !== '' || offerAtOnce;
  const { data: found = [] } = useQuery({
    ...apiQuery('/tags', { query: { ...(typed !== '' && { q: typed }), limit: shown } }),
    enabled: isOffered,
    placeholderData: keepPreviousData,
  });
  const named = new Set(tagsIn(before));
  const offered = !isOffered ? [] : found.filter(({ tag }) => !named.has(tag) && tag !== typed);
  if (offered.length === 0) return null;
  return (
    <ul className={styles['suggestions']} aria-label="Existing tags">
      {offered.map(({ tag, hosts }) => (
        <li key={tag}>
          <Button look="quiet" onPress={() => onChoose(`${before}${before === '' ? '' : ' '}${tag}`)}>
            {printable(tag, 60)} <span className={styles['number']}>{hostsInWords(hosts)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
