import { Check, ChevronDown, Minus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { NumberField as AriaNumberField, type NumberFieldProps } from 'react-aria-components/NumberField';
import { Popover } from 'react-aria-components/Popover';
import { SearchField as AriaSearchField, type SearchFieldProps } from 'react-aria-components/SearchField';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField';
import styles from './field.module.css';

interface Words {
  readonly label: string;
  readonly hint?: ReactNode;
}

function Hint({ hint }: Pick<Words, 'hint'>) {
  if (hint === undefined) return null;
  return (
    <Text slot="description" className={styles['hint'] ?? ''}>
      {hint}
    </Text>
  );
}

/** A text field. With `name` it belongs to the surrounding form and shows the server's errors for it. */
export function TextField({
  label,
  hint,
  placeholder,
  ...props
}: Omit<TextFieldProps, 'className' | 'children'> & Words & { readonly placeholder?: string }) {
  return (
    <AriaTextField {...props} className={styles['field'] ?? ''}>
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Input className={styles['input'] ?? ''} {...(placeholder === undefined ? {} : { placeholder })} />
      <Hint hint={hint} />
      <FieldError className={styles['error'] ?? ''} />
    </AriaTextField>
  );
}

/** A field for a text of several lines. */
export function LongTextField({
  label,
  hint,
  rows = 8,
  ...props
}: Omit<TextFieldProps, 'className' | 'children'> & Words & { readonly rows?: number }) {
  return (
    <AriaTextField {...props} className={styles['field'] ?? ''}>
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <TextArea className={styles['input'] ?? ''} rows={rows} />
      <Hint hint={hint} />
      <FieldError className={styles['error'] ?? ''} />
    </AriaTextField>
  );
}

/** A field for a whole number. */
export function NumberField({
  label,
  hint,
  ...props
}: Omit<NumberFieldProps, 'className' | 'children'> & Words) {
  return (
    <AriaNumberField {...props} formatOptions={{ useGrouping: false }} className={styles['field'] ?? ''}>
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Input className={styles['input'] ?? ''} />
      <Hint hint={hint} />
      <FieldError className={styles['error'] ?? ''} />
    </AriaNumberField>
  );
}

/** A search field. */
export function SearchField({
  label,
  placeholder,
  ...props
}: Omit<SearchFieldProps, 'className' | 'children'> & {
  readonly label: string;
  readonly placeholder?: string;
}) {
  return (
    <AriaSearchField {...props} aria-label={label} className={styles['search'] ?? ''}>
      <Search aria-hidden />
      <Input className={styles['input'] ?? ''} placeholder={placeholder ?? label} />
    </AriaSearchField>
  );
}

interface SelectProps<Value extends string> extends Words {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly (readonly [value: Value, words: string])[];
  /** Whether only screen readers get the label, because the options explain themselves. */
  readonly hideLabel?: boolean;
  readonly isDisabled?: boolean;
}

/** A choice of one option. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, value, onChange, options, hideLabel = false, isDisabled = false } = props;
  return (
    <AriaSelect
      className={styles['field'] ?? ''}
      value={value}
      isDisabled={isDisabled}
      onChange={(key) => onChange(String(key) as Value)} // keys are the values of the options
      {...(hideLabel && { 'aria-label': label })}
    >
      {!hideLabel && <Label className={styles['label'] ?? ''}>{label}</Label>}
      <Button className={styles['choice'] ?? ''}>
        <SelectValue />
        <ChevronDown aria-hidden />
      </Button>
      <Hint hint={hint} />
      <Popover className={styles['popover'] ?? ''}>
        <ListBox className={styles['list'] ?? ''}>
          {options.map(([id, words]) => (
            <ListBoxItem key={id} id={id} textValue={words} className={styles['option'] ?? ''}>
              {words}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** A checkbox. Without children it needs an `aria-label`. */
export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'className'> & { children?: ReactNode }) {
  return (
    <AriaCheckbox {...props} className={styles['check'] ?? ''}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles['box']}>
            {isIndeterminate ? <Minus aria-hidden /> : isSelected ? <Check aria-hidden /> : null}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
