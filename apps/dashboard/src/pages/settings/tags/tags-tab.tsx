import type { TagRule, TagRules } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { apiQuery, useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { tagRuleConditions } from '../../../words/tag-rule-words.ts';
import styles from '../settings.module.css';
import { NewTagRule } from './new-tag-rule.tsx';
import { TagRulesPreview } from './tag-rules-preview.tsx';

const pollMs = 2_000;

/** Rules that give hosts tags. */
export function TagsTab() {
  const query = useQuery({
    ...apiQuery('/policies/tags'),
    refetchInterval: ({ state }) => (state.data?.applying === true ? pollMs : false),
  });
  return (
    <Panel title="Tags by rule">
      <Loaded query={query} what="Loading the rules">
        {(rules) => <Rules key={rules.changed_at} saved={rules} />}
      </Loaded>
    </Panel>
  );
}

function Rules({ saved }: { readonly saved: TagRules }) {
  const mayChange = useMay('admin');
  const [rules, setRules] = useState<readonly TagRule[]>(saved.rules);
  const save = useChange(
    () => api.put('/policies/tags', { body: { rules: rules.map((rule) => ({ ...rule })) } }),
    ['/policies', '/hosts', '/fleet', '/findings', '/tags', '/groups'],
  );
  const isSaved = JSON.stringify(rules) === JSON.stringify(saved.rules);
  const submit = async () => {
    await save.mutateAsync();
    toast.done('The rules are in force. Hosts get their tags within minutes.');
  };
  return (
    <div className={styles['stack']}>
      <Status saved={saved} />
      <TagRuleList rules={rules} {...(mayChange && { onChange: setRules })} />
      {!isSaved && (
        <>
          <TagRulesPreview rules={rules} />
          <div className={styles['inline']}>
            <Button look="primary" isPending={save.isPending} onPress={() => submit().catch(toast.failed)}>
              Put these rules in force
            </Button>
            <Button onPress={() => setRules(saved.rules)}>Discard the changes</Button>
          </div>
        </>
      )}
      {mayChange && <NewTagRule onAdd={(rule) => setRules([...rules, rule])} />}
    </div>
  );
}

function Status({ saved: { rules, applying, changed_at, changed_by } }: { readonly saved: TagRules }) {
  return (
    <>
      <p className={styles['muted']}>
        A host has the tags of every rule whose conditions all apply to it, beside those that were set by
        hand. When a rule no longer applies, the tags that only it gave are taken away. Users and API keys can
        be limited to tags: a rule decides who sees a host.
      </p>
      {rules.length === 0 && <p>No rule is in force.</p>}
      {applying && (
        <Notice tone="neutral">
          <p>Hosts are getting their tags. Until then some have tags by earlier rules.</p>
        </Notice>
      )}
      {changed_at !== null && (
        <p className={styles['muted']}>
          In force since <Time at={changed_at} />
          {changed_by !== null && (
            <>
              , by <ForeignText text={changed_by} oneLine />
            </>
          )}
          .
        </p>
      )}
    </>
  );
}

interface TagRuleListProps {
  readonly rules: readonly TagRule[];
  /** Absent: the rules cannot be changed. */
  readonly onChange?: (rules: readonly TagRule[]) => void;
}

/** Rules in words. */
function TagRuleList({ rules, onChange }: TagRuleListProps) {
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
