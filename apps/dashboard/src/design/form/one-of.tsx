import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { Text } from 'react-aria-components/Text';
import styles from './field.module.css';

interface OneOfProps<Value extends string> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Null: not chosen yet. The form is not sent before it is. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly options: readonly (readonly [value: Value, words: string])[];
}

/** A choice of one option, all of them visible. */
export function OneOf<Value extends string>({ label, hint, value, onChange, options }: OneOfProps<Value>) {
  return (
    <RadioGroup
      className={styles['field'] ?? ''}
      value={value}
      isRequired
      onChange={(key) => onChange(key as Value)} // keys are the values of the options
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {options.map(([id, words]) => (
        <Radio key={id} value={id} className={styles['check'] ?? ''}>
          <span className={`${styles['box']} ${styles['round']}`} />
          {words}
        </Radio>
      ))}
      {hint !== undefined && (
        <Text slot="description" className={styles['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''} />
    </RadioGroup>
  );
}
