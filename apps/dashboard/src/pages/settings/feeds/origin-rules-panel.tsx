import type { OriginPreview, OriginRules } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { amountInWords, hostsInWords } from '../../../design/number-words.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { toast } from '../../../design/toasts.tsx';
import { systemName } from '../../../words/system-words.ts';
import { tagsIn } from '../../../words/tag-list.ts';
import { TagsInput } from '../../tags/tags-input.tsx';
import styles from '../settings.module.css';

type Rule = OriginRules[number];

const distributions = (
  'debian ubuntu almalinux rocky rhel centos oracle amazon fedora suse opensuse'.split(
    ' ',
  ) as Rule['mirrors'][]
).map((id) => [id, systemName(id)] as const); // The words are those of the type.

/** What operators state of archives: their packages are those of a distribution. */
export function OriginRulesPanel() {
  const query = useApi('/policies/origins');
  return (
    <Panel title="Mirrors of distributions">
      <Loaded query={query} what="Loading the rules">
        {(rules) => <Rules key={JSON.stringify(rules)} saved={rules} />}
      </Loaded>
    </Panel>
  );
}

function Rules({ saved }: { readonly saved: OriginRules }) {
  const [rules, setRules] = useState<OriginRules>(saved);
  const [mirrors, setMirrors] = useState<Rule['mirrors']>('debian');
  const save = useChange(
    () => api.put('/policies/origins', { body: rules }),
    ['/policies', '/hosts', '/fleet', '/findings'],
  );
  const preview = useQuery({
    queryKey: ['/policies/origins/preview', rules],
    queryFn: ({ signal }) => api.post('/policies/origins/preview', { body: rules, signal }),
    enabled: rules !== saved,
  });
  const submit = async () => {
    await save.mutateAsync();
    toast.done('The rules are in force. Hosts follow within minutes.');
  };
  const add = (values: FormData) => {
    const text = (name: string) => String(values.get(name) ?? '').trim();
    const tags = tagsIn(text('tags'));
    const label = text('label') === '' ? {} : { label: text('label') };
    const rule = { origin: text('origin'), ...label, mirrors, ...(tags.length === 0 ? {} : { tags }) };
    setRules([...rules, rule]);
  };
  return (
    <div className={styles['stack']}>
      <p className={styles['muted']}>
        Packages of an archive with an origin of its own have no verdict, until it is stated whose packages
        they are: behind aptly, Pulp, reprepro or Nexus. The first rule for an origin counts.
      </p>
      {rules.length === 0 && <p>No rule is in force.</p>}
      <ol aria-label="Mirrors of distributions">
        {rules.map((rule, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place of a rule is its identity
          <li key={n}>
            <ForeignText text={ruleInWords(rule)} /> {aboutInWords(preview.data?.rules[n])}
            <Button
              icon
              look="quiet"
              aria-label={`Remove rule ${n + 1}`}
              onPress={() => setRules(rules.filter((_, other) => other !== n))}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      {rules !== saved && (
        <div className={styles['inline']}>
          <Button look="primary" isPending={save.isPending} onPress={() => submit().catch(toast.failed)}>
            Put these rules in force
          </Button>
          <Button onPress={() => setRules(saved)}>Discard the changes</Button>
        </div>
      )}
      <Form key={rules.length} submit="Add the rule" onSubmit={async (values) => add(values)}>
        <TextField
          name="origin"
          label="Origin"
          hint="Of the Release file, or rpm’s vendor."
          maxLength={200}
          isRequired
        />
        <TextField name="label" label="Label" hint="Of the Release file. Empty: any." maxLength={200} />
        <Select label="Mirrors" value={mirrors} onChange={setMirrors} options={distributions} />
        <TagsInput name="tags" label="Tags" hint="Only for hosts with one of them. Empty: all hosts." />
      </Form>
    </div>
  );
}

function ruleInWords({ origin, label, mirrors, tags }: Rule): string {
  const of = label === undefined ? origin : `${origin}, label ${label},`;
  return `${of} mirrors ${systemName(mirrors)}${tags === undefined ? '' : ` (hosts tagged ${tags.join(', ')})`}`;
}

function aboutInWords(about: OriginPreview['rules'][number] | undefined): string {
  if (about === undefined) return '';
  const packages = amountInWords(about.packages, 'package', 'packages');
  return `– ${hostsInWords(about.hosts)}, ${packages}, of which ${about.unchecked} have no verdict now`;
}
