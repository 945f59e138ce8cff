import type { DueRule } from '@plimsoll/contract';
import { ArrowUp, X } from 'lucide-react';
import { Button } from '../../../design/button.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ruleConditions, ruleLimit } from '../../../words/due-words.ts';
import styles from '../settings.module.css';

interface RuleListProps {
  readonly rules: readonly DueRule[];
  /** Absent: the rules cannot be changed. */
  readonly onChange?: (rules: readonly DueRule[]) => void;
}

/** Rules in their order, in words. */
export function RuleList({ rules, onChange }: RuleListProps) {
  if (rules.length === 0) return null;
  const remove = (n: number) => onChange?.(rules.filter((_, other) => other !== n));
  const raise = (n: number) => {
    const rule = rules[n];
    if (rule === undefined) return;
    const others = rules.filter((_, other) => other !== n);
    onChange?.([...others.slice(0, n - 1), rule, ...others.slice(n - 1)]);
  };
  return (
    <ol aria-label="Rules">
      {rules.map((rule, n) => (
        // Two rules can be equal.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a rule is its identity
        <li key={n}>
          <strong>
            <ForeignText text={ruleConditions(rule)} />
          </strong>
          : {ruleLimit(rule)}
          {onChange !== undefined && (
            <span className={styles['inline']}>
              <Button
                icon
                look="quiet"
                aria-label={`Move rule ${n + 1} up`}
                isDisabled={n === 0}
                onPress={() => raise(n)}
              >
                <ArrowUp aria-hidden />
              </Button>
              <Button icon look="quiet" aria-label={`Remove rule ${n + 1}`} onPress={() => remove(n)}>
                <X aria-hidden />
              </Button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
