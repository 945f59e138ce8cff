import type { TagRule } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { apiQuery } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { tagRuleConditions } from '../../../words/tag-rule-words.ts';

interface TagRuleListProps {
  readonly rules: readonly TagRule[];
  /** Absent: the rules cannot be changed. */
  readonly onChange?: (rules: readonly TagRule[]) => void;
}

/** Rules in words. */
export function TagRuleList({ rules, onChange }: TagRuleListProps) {
  const mayReadTokens = useMay('operator');
  const tokens = useQuery({ ...apiQuery('/registration-tokens'), enabled: mayReadTokens });
  if (rules.length === 0) return null;
  const nameOf = (id?: string) => tokens.data?.find((token) => token.id === id)?.name ?? null;
  return (
    <ol aria-label="Rules that give tags">
      {rules.map((rule, n) => (
        // Two rules can be equal.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a rule is its identity
        <li key={n}>
          <strong>
            <ForeignText text={tagRuleConditions(rule, nameOf(rule.registration_token))} />
          </strong>
          : <ForeignText text={rule.tags.join(', ')} />
          {rule.trust_hosts && ' (by what hosts state themselves)'}
          {onChange !== undefined && (
            <Button
              icon
              look="quiet"
              aria-label={`Remove rule ${n + 1}`}
              onPress={() => onChange(rules.filter((_, other) => other !== n))}
            >
              <X aria-hidden />
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}
