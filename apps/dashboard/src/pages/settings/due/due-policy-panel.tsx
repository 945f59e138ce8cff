import type { DuePolicy, DueRule } from '@plimsoll/contract';
import type { DuePreset } from '@plimsoll/model';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Select } from '../../../design/form/fields.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ExternalLink } from '../../../design/text/external-link.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { presetNotes } from '../../../words/preset-words.ts';
import styles from '../settings.module.css';
import { PolicyPreview } from './due-preview.tsx';
import { NewRule } from './new-rule.tsx';
import { RuleList } from './rule-list.tsx';

type Choice = 'none' | 'own' | DuePreset;

const choices: readonly (readonly [Choice, string])[] = [
  ['none', 'No policy: nothing is due'],
  ['cisa-bod-26-04', 'CISA BOD 26-04'],
  ['fedramp-vdr', 'FedRAMP VDR, Class C'],
  ['by-severity', 'By severity: 7, 30, 90 and 180 days'],
  ['own', 'Rules of your own'],
];

/** The policy of due dates; admins change it. */
export function DuePolicyPanel() {
  const query = useApi('/policies/due-dates');
  return (
    <Panel title="Due dates of findings">
      <Loaded query={query} what="Loading the policy">
        {(policy) => <Policy key={policy.changed_at} policy={policy} />}
      </Loaded>
    </Panel>
  );
}

function choiceOf({ preset, rules }: DuePolicy): Choice {
  return preset ?? (rules.length === 0 ? 'none' : 'own');
}

function Policy({ policy }: { readonly policy: DuePolicy }) {
  const mayChange = useMay('admin');
  const [choice, setChoice] = useState(choiceOf(policy));
  const [own, setOwn] = useState<readonly DueRule[]>(policy.preset === null ? policy.rules : []);
  const save = useChange(
    (body: Parameters<typeof api.put<'/policies/due-dates'>>[1]['body']) =>
      api.put('/policies/due-dates', { body }),
    ['/policies', '/hosts', '/fleet', '/findings'],
  );
  const shown = choice === 'none' ? [] : choice === 'own' ? own : policy.presets[choice];
  const isSaved =
    choice === choiceOf(policy) && (choice !== 'own' || JSON.stringify(own) === JSON.stringify(policy.rules));
  const chosen =
    choice === 'own' || choice === 'none' ? { rules: choice === 'own' ? [...own] : [] } : { preset: choice };
  const submit = async () => {
    await save.mutateAsync(chosen);
    toast.done('The policy is in force. Hosts are counted again.');
  };
  return (
    <div className={styles['stack']}>
      <Status policy={policy} />
      {mayChange && (
        <Select
          label="Policy"
          hint="The first rule that applies to an advisory on a host counts. A day has 24 hours, in UTC."
          value={choice}
          onChange={setChoice}
          options={choices}
        />
      )}
      {choice !== 'none' && choice !== 'own' && <PresetNotes preset={choice} />}
      <RuleList rules={shown} {...(mayChange && choice === 'own' && { onChange: setOwn })} />
      {mayChange && choice === 'own' && <NewRule onAdd={(rule) => setOwn([...own, rule])} />}
      {mayChange && choice !== 'own' && choice !== 'none' && (
        <div>
          <Button
            onPress={() => {
              setOwn(shown);
              setChoice('own');
            }}
          >
            Start own rules from these
          </Button>
        </div>
      )}
      {mayChange && !isSaved && !(choice === 'own' && own.length === 0) && <PolicyPreview policy={chosen} />}
      {mayChange && !isSaved && (
        <div>
          <Button
            look="primary"
            isPending={save.isPending}
            isDisabled={choice === 'own' && own.length === 0}
            onPress={() => submit().catch(toast.failed)}
          >
            Put this policy in force
          </Button>
        </div>
      )}
    </div>
  );
}

function Status({ policy: { rules, changed_at, changed_by, recount } }: { readonly policy: DuePolicy }) {
  return (
    <>
      {rules.length === 0 && (
        <Notice tone="neutral">
          <p>No policy is set: no finding has a due date. An administrator chooses one here.</p>
        </Notice>
      )}
      {recount.running && (
        <Notice tone="neutral">
          <p>
            Hosts are being counted: {recount.pieces_left} {recount.pieces_left === 1 ? 'part' : 'parts'} of
            the fleet are left. Until then they show earlier due dates.
          </p>
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

/** What a preset does, what it cannot know, and where its times come from. */
function PresetNotes({ preset }: { readonly preset: DuePreset }) {
  const { notes, sources } = presetNotes[preset];
  return (
    <div className={styles['muted']}>
      <ul aria-label="About this preset">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {sources.length > 0 && (
        <p className={styles['inline']}>
          {sources.map(([title, url]) => (
            <ExternalLink key={url} url={url}>
              {title}
            </ExternalLink>
          ))}
        </p>
      )}
    </div>
  );
}
