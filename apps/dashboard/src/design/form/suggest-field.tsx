import { type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react';
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { printable } from '../text/printable.ts';
import styles from './field.module.css';

/** One suggestion. */
export interface Suggestion {
  readonly text: string;
  readonly detail: string;
}

interface SuggestFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The selected value. */
  readonly value: string;
  /** Suggestions for the typed text, best first. */
  readonly suggestions: readonly Suggestion[];
  /** Text for an empty list. */
  readonly nothing: string;
  readonly onType: (text: string) => void;
  /** Called with a suggestion, or with the typed text on Enter. */
  readonly onChoose: (text: string) => void;
}

/** A text field with suggestions; other text is allowed. */
export function SuggestField(props: SuggestFieldProps) {
  const { label, placeholder, value, suggestions, nothing, onType, onChoose } = props;
  const [typed, setTyped] = useState(value);
  const [shownFor, setShownFor] = useState(value);
  if (value !== shownFor) {
    setShownFor(value);
    setTyped(value);
  }
  const wantsList = useRef(false);
  const type = (text: string) => {
    wantsList.current = true;
    setTyped(text);
    onType(text.trim());
  };
  const choose = (text: string) => {
    wantsList.current = false;
    setTyped(text);
    if (text.trim() !== value) onChoose(text.trim());
  };
  return (
    <ComboBox
      className={styles['field'] ?? ''}
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="input"
      inputValue={typed}
      onInputChange={type}
      onSelectionChange={(key) => {
        if (key !== null) choose(String(key));
      }}
      // The arrow keys open the list for a text that was taken before.
      onOpenChange={(isOpen, trigger) => {
        if (isOpen && trigger === 'manual') wantsList.current = true;
      }}
      onBlur={() => {
        wantsList.current = false;
      }}
      items={suggestions}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Input
        className={styles['input'] ?? ''}
        onKeyDown={(event) => {
          // Enter selects the focused suggestion, if there is one; otherwise what the field has, which `typed` may not be yet.
          const hasFocused = event.currentTarget.hasAttribute('aria-activedescendant');
          if (event.key === 'Enter' && !hasFocused) choose(event.currentTarget.value);
          if (event.key === 'Escape') wantsList.current = false;
        }}
        {...(placeholder !== undefined && { placeholder })}
      />
      <Suggestions nothing={nothing} />
      <CloseUnwanted isWanted={wantsList} />
    </ComboBox>
  );
}

/**
 * Closes a list of suggestions that opens late. The combobox opens it some time after the input; a key or a loss of focus in
 * between finds it closed. Left open it would hide the rest of the page from screen readers.
 */
function CloseUnwanted({ isWanted }: { readonly isWanted: RefObject<boolean> }) {
  const state = useContext(ComboBoxStateContext);
  useLayoutEffect(() => {
    if (state?.isOpen === true && !isWanted.current) state.close();
  });
  return null;
}

function Suggestions({ nothing }: Pick<SuggestFieldProps, 'nothing'>) {
  return (
    <Popover className={styles['popover'] ?? ''}>
      <ListBox
        className={styles['list'] ?? ''}
        renderEmptyState={() => <div className={styles['option']}>{nothing}</div>}
      >
        {({ text, detail }: Suggestion) => (
          <ListBoxItem id={text} textValue={text} className={styles['option'] ?? ''}>
            {printable(text)} <span className={styles['hint']}>{detail}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  );
}
