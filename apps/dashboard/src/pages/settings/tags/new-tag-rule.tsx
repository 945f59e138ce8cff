import type { TagRule } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../../api/queries.ts';
import { Checkbox, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { printable } from '../../../design/text/printable.ts';
import { tagsIn } from '../../../words/tag-list.ts';
import { TagsInput } from '../../tags/tags-input.tsx';
import styles from '../settings.module.css';

const anyToken = 'any';

/** Adds a rule at the end. */
export function NewTagRule({ onAdd }: { readonly onAdd: (rule: TagRule) => void }) {
  const tokens = useQuery(apiQuery('/registration-tokens'));
  const [count, setCount] = useState(0);
  const [token, setToken] = useState(anyToken);
  const [trusts, setTrusts] = useState(false);
  const add = async (values: FormData) => {
    const text = (name: string) => String(values.get(name) ?? '').trim();
    const conditions = {
      ...(text('name') === '' ? {} : { name: text('name') }),
      ...(text('os') === '' ? {} : { os: text('os') }),
      ...(text('address') === '' ? {} : { address: text('address') }),
      ...(token === anyToken ? {} : { registration_token: token }),
    };
    if (Object.keys(conditions).length === 0) throw new Error('Name at least one condition.');
    if (('os' in conditions || 'address' in conditions) && !trusts)
      throw new Error('A system or an address needs “Trust what hosts state”: a host states them itself.');
    onAdd({ ...conditions, trust_hosts: trusts, tags: tagsIn(text('tags')) });
    setCount(count + 1);
    setToken(anyToken);
    setTrusts(false);
  };
  return (
    <section className={styles['aside']} aria-label="New rule that gives tags">
      <h3>New rule</h3>
      <Form key={count} submit="Add the rule" onSubmit={add}>
        <TagsInput
          name="tags"
          label="Tags"
          hint="What the hosts get. Separate tags with commas."
          isRequired
        />
        <TextField
          name="name"
          label="Name of the host"
          placeholder="web-*"
          hint="A pattern for the whole name: * is any text, ? one character. Empty: any name."
          maxLength={253}
        />
        <TextField
          name="os"
          label="System"
          placeholder="debian:12"
          hint="With or without a version. Empty: any system."
          maxLength={100}
        />
        <TextField
          name="address"
          label="Address"
          placeholder="10.0.0.0/8"
          hint="An address or a network. Empty: any address."
          maxLength={50}
        />
        <Select
          label="Registration token"
          hint="Hosts that enrolled with it."
          value={token}
          onChange={setToken}
          options={[
            [anyToken, 'Any, or none'],
            ...(tokens.data ?? []).map(({ id, name }) => [id, printable(name, 60)] as const),
          ]}
        />
        <div>
          <Checkbox isSelected={trusts} onChange={setTrusts}>
            Trust what hosts state
          </Checkbox>
          <p className={styles['muted']}>
            A host states its hostname, system and address itself. With this, what it states counts at once:
            it can bring itself into these tags, and out of them. Without, a name counts as you see it in the
            list, once the host is approved; a host that renames itself changes nothing.
          </p>
        </div>
      </Form>
    </section>
  );
}
