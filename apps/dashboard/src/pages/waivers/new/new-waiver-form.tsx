import type { Waiver } from '@plimsoll/contract';
import type { WaiverKind } from '@plimsoll/model';
import { waiverKindOrder, waiverKindWords } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { LongTextField, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { OneOf } from '../../../design/form/one-of.tsx';
import { groupedNumber } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import { TagsInput } from '../../tags/tags-input.tsx';
import { EndField, endOfDay } from '../end-field.tsx';
import styles from '../waivers.module.css';
import { Concerned } from './concerned.tsx';
import { coversWords, placeWords } from './scope-words.ts';
import {
  type Covers,
  coversOf,
  firstPlace,
  type Place,
  placesOf,
  type WaiverSubject,
} from './waiver-subject.ts';

/** What a change of waivers changes: every list of findings. */
export const changedByWaivers = [
  '/waivers',
  '/hosts',
  '/findings',
  '/advisories',
  '/cves',
  '/fleet',
  '/groups',
];

const kinds = waiverKindOrder.map((kind) => [kind, waiverKindWords[kind].words] as const);

interface NewWaiverFormProps {
  readonly subject: WaiverSubject;
  readonly onSaved: () => void;
}

/** A new waiver: what, where, why and until when, with what it would concern. */
export function NewWaiverForm({ subject, onSaved }: NewWaiverFormProps) {
  const own = useSession()?.user.tags ?? null;
  const [kind, setKind] = useState<WaiverKind>('risk_accepted');
  const choices = coversOf(subject);
  const [covers, setCovers] = useState<Covers>(choices[0] ?? 'advisories');
  const places = placesOf(subject, own !== null);
  const [place, setPlace] = useState<Place | null>(firstPlace(subject, places));
  const [tags, setTags] = useState((own ?? (subject.hosts.length === 0 ? subject.tags : [])).join(', '));
  const named = {
    ...(covers === 'packages' ? { packages: [...subject.packages] } : { advisories: [...subject[covers]] }),
    ...scopeOf(subject, place, tags),
  };
  const create = useChange(
    (values: FormData) => api.post('/waivers', { body: { kind, ...named, ...writtenIn(values) } }),
    changedByWaivers,
  );
  const save = async (values: FormData) => {
    const saved = await create.mutateAsync(values);
    if ('id' in saved) toast.done(doneWords(saved));
    onSaved();
  };
  return (
    <Form submit={waiverKindWords[kind].toDo} onSubmit={save}>
      <Select
        label="What"
        value={covers}
        onChange={setCovers}
        options={choices.map((choice) => [choice, coversWords(choice, subject)] as const)}
      />
      <NamedList names={subject[covers]} />
      <OneOf
        label="Where"
        value={place}
        onChange={setPlace}
        options={places.map((choice) => [choice, placeWords(choice, subject)] as const)}
      />
      {place === 'hosts' && <NamedList names={subject.hosts.map(({ name }) => name)} />}
      {place === 'tags' && (
        <TagsInput label="Tags" value={tags} onChange={setTags} isRequired offerAtOnce hint={tagHint(own)} />
      )}
      <Select
        label="Why"
        value={kind}
        onChange={setKind}
        options={kinds}
        hint={waiverKindWords[kind].meaning}
      />
      <LongTextField name="reason" label="Reason" rows={3} maxLength={2000} isRequired />
      <TextField
        name="ticket_url"
        label="Ticket"
        type="url"
        maxLength={2000}
        placeholder="https://"
        hint="Optional: the address of the decision."
      />
      <EndField />
      <Concerned kind={kind} named={named} isPlaced={place !== null} />
    </Form>
  );
}

function scopeOf(subject: WaiverSubject, place: Place | null, tags: string) {
  switch (place) {
    case null:
      return {};
    case 'hosts':
      return { hosts: subject.hosts.map(({ id }) => id) };
    case 'tags':
      return { tags: tagsIn(tags) };
    case 'all_hosts':
      return { all_hosts: true as const };
    default:
      return place satisfies never;
  }
}

function writtenIn(values: FormData) {
  const word = (name: string) => String(values.get(name) ?? '').trim();
  return {
    reason: word('reason'),
    ticket_url: word('ticket_url') === '' ? null : word('ticket_url'),
    expires_at: endOfDay(word('expires_at')),
  };
}

function tagHint(own: readonly string[] | null): string {
  const those = own === null ? '' : ` You may choose of: ${own.map((tag) => printable(tag, 60)).join(', ')}.`;
  return `Separated by commas; a host needs one of them, also one that comes later.${those}`;
}

function doneWords({ matched_findings, matched_hosts }: Waiver): string {
  const findings = matched_findings === 1 ? '1 finding' : `${matched_findings} findings`;
  const hosts = matched_hosts === 1 ? '1 host' : `${matched_hosts} hosts`;
  return `Saved. It covers something of ${findings} on ${hosts}, which are counted again within seconds.`;
}

const shown = 8;

/** The names that a choice stands for, if there are several. */
function NamedList({ names }: { readonly names: readonly string[] }) {
  if (names.length < 2) return null;
  const left = names.length - shown;
  return (
    <ul className={styles['names']}>
      {names.slice(0, shown).map((name) => (
        <li key={name}>
          <ForeignText text={name} oneLine />
        </li>
      ))}
      {left > 0 && <li>and {groupedNumber(left)} more</li>}
    </ul>
  );
}
