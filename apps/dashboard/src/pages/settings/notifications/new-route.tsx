import type { Channel, Route } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { Checkbox, NumberField, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { eventWords } from '../../../words/notification-words.ts';
import { tagsIn } from '../../../words/tag-list.ts';
import styles from '../settings.module.css';

type Event = Route['events'][number];
type Severity = NonNullable<Route['min_severity']>;

const events = Object.keys(eventWords) as readonly Event[]; // the keys of the record
/** What most people want to hear of at once. */
const usual: readonly Event[] = ['finding.known_exploited', 'host_key.changed', 'feed.failed', 'host.stale'];
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface NewRouteProps {
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

/** Adds a route. */
export function NewRoute({ channels, onClose }: NewRouteProps) {
  const [channel, setChannel] = useState(channels[0]?.id ?? '');
  const [chosen, setChosen] = useState<readonly Event[]>(usual);
  const [severity, setSeverity] = useState<Severity | 'any'>('any');
  const [when, setWhen] = useState<'once' | 'day' | 'week'>('once');
  const [isQuiet, setIsQuiet] = useState(false);
  const add = useChange((values: FormData) => api.post('/routes', { body: routeIn(values) }), ['/routes']);
  const isLimited = channels.find(({ id }) => id === channel)?.tags != null;
  // What is about the whole installation is not for channels about a part of the hosts.
  const offered = events.filter(
    (event) => !(isLimited && (event === 'auth.lockout' || event === 'waiver.expiring')),
  );

  function routeIn(values: FormData) {
    const word = (name: string) => String(values.get(name) ?? '').trim();
    return {
      name: word('name'),
      channel_id: channel,
      events: offered.filter((event) => chosen.includes(event)),
      min_severity: severity === 'any' ? null : severity,
      tags: tagsIn(word('tags')),
      delay_minutes: when === 'once' ? Number(word('delay_minutes') || 0) : 0,
      digest: when === 'once' ? null : { every: when, at: word('digest'), time_zone: zone },
      quiet_hours:
        isQuiet && when === 'once' ? { from: word('from'), to: word('to'), time_zone: zone } : null,
    };
  }

  const submit = async (values: FormData) => {
    await add.mutateAsync(values);
    toast.done('The route is added. What happens from now on is told.');
    onClose();
  };
  const choose = (event: Event, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, event] : chosen.filter((one) => one !== event));
  return (
    <Dialog title="New route" isOpen onClose={onClose} side>
      <Form submit="Add the route" onSubmit={submit}>
        <TextField name="name" label="Name" maxLength={100} isRequired />
        <Select
          label="Channel"
          value={channel}
          onChange={setChannel}
          options={channels.map(({ id, name }) => [id, name] as const)}
        />
        <fieldset className={styles['events'] ?? ''}>
          <legend>Events</legend>
          {offered.map((event) => (
            <Checkbox key={event} isSelected={chosen.includes(event)} onChange={(is) => choose(event, is)}>
              {eventWords[event]}
            </Checkbox>
          ))}
        </fieldset>
        <Select
          label="Findings of this severity and worse"
          value={severity}
          onChange={setSeverity}
          options={[
            ['any', 'Any severity'],
            ['low', 'Low'],
            ['moderate', 'Moderate'],
            ['important', 'Important'],
            ['critical', 'Critical'],
          ]}
        />
        <TextField
          name="tags"
          label="Only about hosts with one of these tags"
          maxLength={1000}
          hint="Separate tags with commas. Leave it empty for every host of the channel."
        />
        <Select
          label="When"
          value={when}
          onChange={setWhen}
          options={[
            ['once', 'At once'],
            ['day', 'One digest a day'],
            ['week', 'One digest a week, on Mondays'],
          ]}
        />
        {when === 'once' ? (
          <>
            <NumberField
              name="delay_minutes"
              label="Delay, in minutes"
              defaultValue={0}
              minValue={0}
              maxValue={10_080}
              hint="What is over by then is not told."
            />
            <Checkbox isSelected={isQuiet} onChange={setIsQuiet}>
              Quiet hours
            </Checkbox>
            {isQuiet && (
              <div className={styles['pair']}>
                <TextField name="from" label="From" type="time" defaultValue="22:00" isRequired hint={zone} />
                <TextField name="to" label="To" type="time" defaultValue="07:00" isRequired />
              </div>
            )}
          </>
        ) : (
          <TextField name="digest" label="At" type="time" defaultValue="08:00" isRequired hint={zone} />
        )}
      </Form>
    </Dialog>
  );
}
