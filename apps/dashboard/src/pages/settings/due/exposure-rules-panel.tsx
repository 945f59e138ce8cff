import type { ExposureRules } from '@plimsoll/contract';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Select } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import { TagsInput } from '../../tags/tags-input.tsx';
import styles from '../settings.module.css';

type Rule = ExposureRules['rules'][number];

/** Which hosts can be reached from the internet, by tag. */
export function ExposureRulesPanel() {
  const query = useApi('/policies/exposure');
  return (
    <Panel title="Reachable from the internet, by tag">
      <Loaded query={query} what="Loading the rules">
        {({ rules }) => <Rules rules={rules} />}
      </Loaded>
    </Panel>
  );
}

function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  const mayChange = useMay('admin');
  const [exposure, setExposure] = useState<Rule['exposure']>('public');
  const save = useChange(
    (changed: readonly Rule[]) => api.put('/policies/exposure', { body: { rules: [...changed] } }),
    ['/policies', '/hosts', '/fleet', '/findings'],
  );
  const add = async (values: FormData) => {
    const tag = String(values.get('tag')).trim();
    await save.mutateAsync([...rules.filter((rule) => rule.tag !== tag), { tag, exposure }]);
    toast.done('The rule is in force.');
  };
  const remove = async (tag: string) => {
    await save.mutateAsync(rules.filter((rule) => rule.tag !== tag));
    toast.done('The rule is removed.');
  };
  return (
    <div className={styles['stack']}>
      <p className={styles['muted']}>
        The first rule for one of its tags counts for a host, unless an operator set it by hand on the host.
        Other hosts count as reachable where due dates ask for it.
      </p>
      {rules.length > 0 && (
        <ol aria-label="Rules by tag">
          {rules.map(({ tag, exposure: stated }) => (
            <li key={tag}>
              <ForeignText text={tag} oneLine />:{' '}
              {stated === 'public' ? 'reachable from the internet' : 'not reachable from the internet'}
              {mayChange && (
                <Button
                  icon
                  look="quiet"
                  aria-label={`Remove the rule for ${printable(tag, 60)}`}
                  onPress={() => remove(tag).catch(toast.failed)}
                >
                  <X aria-hidden />
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {mayChange && (
        <Form submit="Add the rule for this tag" onSubmit={add}>
          <TagsInput name="tag" label="Tag" many={false} isRequired />
          <Select
            label="Its hosts are"
            value={exposure}
            onChange={setExposure}
            options={[
              ['public', 'Reachable from the internet'],
              ['internal', 'Not reachable from the internet'],
            ]}
          />
        </Form>
      )}
    </div>
  );
}
