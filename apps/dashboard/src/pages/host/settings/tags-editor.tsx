import type { HostDetail } from '@plimsoll/contract';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import { TagsInput } from '../../tags/tags-input.tsx';
import styles from '../host.module.css';
import { useHostChange } from './use-host-change.ts';

/** Adds and removes tags of a host. */
export function TagsEditor({ host }: { readonly host: HostDetail }) {
  const change = useHostChange(host.id);
  const [text, setText] = useState('');
  const remove = (tag: string) =>
    change({ tags: host.tags.filter((other) => other !== tag) }, 'The tag is removed.').catch(toast.failed);
  const add = async () => {
    await change({ tags: [...host.tags, text.trim()] }, 'The tag is added.');
    setText('');
  };
  return (
    <Panel title="Tags">
      <div className={styles['stack']}>
        {host.tags.length > 0 && (
          <ul className={styles['counts']} aria-label="Tags">
            {host.tags.map((tag) => (
              <li key={tag} className={styles['inline']}>
                <ForeignText text={tag} />
                {host.tags_by_rule.includes(tag) ? (
                  <span className={styles['muted']}>by a rule</span>
                ) : (
                  <Button
                    icon
                    look="quiet"
                    aria-label={`Remove tag ${printable(tag)}`}
                    onPress={() => remove(tag)}
                  >
                    <X aria-hidden />
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <Form submit="Add tag" onSubmit={add}>
          <TagsInput
            name="tags"
            label="New tag"
            hint="Hosts can be filtered by tag."
            many={false}
            value={text}
            onChange={setText}
            isRequired
          />
        </Form>
      </div>
    </Panel>
  );
}
