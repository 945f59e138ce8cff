import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { messageOf } from '../../api/problem.ts';
import { apiQuery } from '../../api/queries.ts';
import { Unseen } from '../../design/states.tsx';
import styles from './search.module.css';
import {
  longestQuery,
  longestText,
  type SearchEntry,
  type SearchedPage,
  type SearchGroup,
  searchGroups,
} from './search-entries.ts';

interface SearchBoxProps {
  readonly pages: readonly SearchedPage[];
  readonly onDone: () => void;
}

const pauseMs = 150;

/** The search field and its choices, by the combobox pattern of WAI-ARIA (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). */
export function SearchBox({ pages, onDone }: SearchBoxProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().slice(0, longestQuery);
  const asked = useDelayed(wanted, pauseMs);
  const query = useQuery({
    ...apiQuery('/search', { query: { q: asked } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const isOld = asked !== wanted || query.isPlaceholderData || (asked !== '' && query.isPending);
  const groups = searchGroups(text, asked === '' ? null : (query.data ?? null), pages);
  const entries = groups.flatMap(({ entries: each }) => each);
  const [chosen, setChosen] = useState<string | null>(null);
  const current = entries.find(({ id }) => id === chosen) ?? entries[0];
  const base = useId();
  const open = useOpen(onDone);
  const [isEntered, setIsEntered] = useState(false);
  // Enter waits for the choices of the typed text; until then the first one can be another page.
  useEffect(() => {
    if (!isEntered || isOld) return;
    setIsEntered(false);
    if (current !== undefined) open(current);
  }, [isEntered, isOld, current, open]);
  const move = (index: number) => setChosen(entries[(index + entries.length) % entries.length]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = current === undefined ? -1 : entries.indexOf(current);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      ...(event.ctrlKey ? { Home: 0, End: entries.length - 1 } : {}),
    };
    const target = moves[event.key];
    if (target !== undefined) move(target);
    else if (event.key === 'Enter' && isOld && chosen === null) setIsEntered(true);
    else if (event.key === 'Enter' && current !== undefined) open(current);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles['box']}>
      <input
        className={styles['input']}
        role="combobox"
        aria-label="Search hosts, CVEs, advisories, packages and pages"
        aria-expanded={entries.length > 0}
        aria-controls={`${base}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current === undefined ? undefined : optionId(base, current)}
        placeholder="Host, CVE, advisory, package or page"
        autoComplete="off"
        spellCheck={false}
        maxLength={longestText}
        // biome-ignore lint/a11y/noAutofocus: the dialog opens for typing
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(null);
          setIsEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      <Choices base={base} groups={groups} current={current} onOpen={open} />
      <p className={styles['state']} role="status">
        {query.isError && asked !== ''
          ? messageOf(query.error)
          : isOld
            ? 'Searching…'
            : countWords(entries.length)}
      </p>
    </div>
  );
}

function countWords(count: number): string {
  return `${count} ${count === 1 ? 'choice' : 'choices'}. Arrow keys choose, Enter opens.`;
}

function optionId(base: string, { id }: SearchEntry): string {
  return `${base}-${id.replace(/[^\w-]/g, (letter) => `_${letter.codePointAt(0)}_`)}`;
}

interface ChoicesProps {
  readonly base: string;
  readonly groups: readonly SearchGroup[];
  readonly current: SearchEntry | undefined;
  readonly onOpen: (entry: SearchEntry) => void;
}

function Choices({ base, groups, current, onOpen }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  const currentId = current === undefined ? null : optionId(base, current);
  useEffect(() => {
    if (currentId !== null) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return (
    <div ref={list} id={`${base}-list`} role="listbox" aria-label="Choices" className={styles['list']}>
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
        <div key={title} role="group" aria-label={title}>
          <div className={styles['title']} aria-hidden>
            {title}
          </div>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
            <div
              key={entry.id}
              id={optionId(base, entry)}
              role="option"
              aria-selected={entry === current}
              className={styles['option']}
              onClick={() => onOpen(entry)}
            >
              <span className={styles['words']}>{entry.words}</span>
              {entry.detail !== '' && (
                <>
                  <Unseen>, </Unseen>
                  <span className={styles['detail']}>{entry.detail}</span>
                </>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Opens the page of an entry. */
function useOpen(onDone: () => void): (entry: SearchEntry) => void {
  const navigate = useNavigate();
  return ({ place }) => {
    onDone();
    const target: unknown = { to: place.to, params: place.params ?? {}, search: place.search ?? {} };
    void navigate(target as Parameters<typeof navigate>[0]); // Places are pages of the router with their parameters.
  };
}

/** The value, once it stayed the same for a while; an empty one at once. */
function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), value === '' ? 0 : delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}
