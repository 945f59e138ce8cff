import type { Channel, Route } from '@plimsoll/contract';
import { eventWords } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { Checkbox, NumberField, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import styles from '../settings.module.css';
import { addToEach, eventsFor, RouteChannels } from './route-channels.tsx';

type Event = Route['events'][number];
type Severity = NonNullable<Route['min_severity']>;

const events = Object.keys(eventWords) as readonly Event[]; // the keys of the record
/** What most people want to hear of at once. */
const usual: readonly Event[] = ['finding.known_exploited', 'host_key.changed', 'feed.failed', 'host.stale'];
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface RouteFormProps {
  /** Null: a new one. */
  readonly route: Route | null;
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

/** Adds a route for each of some channels, or changes one; its channel stays. */
export function RouteForm({ route, channels, onClose }: RouteFormProps) {
  const [to, setTo] = useState<readonly string[]>(
    channels.slice(0, 1).map(({ id }) => route?.channel_id ?? id),
  );
  const [added, setAdded] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly Event[]>(route?.events ?? usual);
  const [severity, setSeverity] = useState<Severity | 'any'>(route?.min_severity ?? 'any');
  const [when, setWhen] = useState<'once' | 'day' | 'week'>(route?.digest?.every ?? 'once');
  const [isQuiet, setIsQuiet] = useState(route?.quiet_hours != null);
  const zone = route?.digest?.time_zone ?? route?.quiet_hours?.time_zone ?? ownZone;
  const targets = channels.filter(({ id }) => to.includes(id));
  const add = useChange(
    ({ values, channel }: { readonly values: FormData; readonly channel: Channel }) =>
      api.post('/routes', { body: { ...routeIn(values, channel), channel_id: channel.id } }),
    ['/routes'],
  );
  const change = useChange(
    ({ id, values }: { readonly id: string; readonly values: FormData }) =>
      api.patch('/routes/{id}', { params: { id }, body: routeIn(values, targets[0]) }),
    ['/routes'],
  );
  const offered = events.filter(
    (event) => targets.length === 0 || targets.some((channel) => eventsFor(channel, [event]).length > 0),
  );

  function routeIn(values: FormData, channel: Channel | undefined) {
    const word = (name: string) => String(values.get(name) ?? '').trim();
    return {
      name: word('name'),
      events: eventsFor(
        channel,
        events.filter((event) => chosen.includes(event)),
      ),
      min_severity: severity === 'any' ? null : severity,
      tags: tagsIn(word('tags')),
      delay_minutes: when === 'once' ? Number(word('delay_minutes') || 0) : 0,
      digest: when === 'once' ? null : { every: when, at: word('digest'), time_zone: zone },
      quiet_hours:
        isQuiet && when === 'once' ? { from: word('from'), to: word('to'), time_zone: zone } : null,
    };
  }

  const submit = async (values: FormData) => {
    if (route === null) {
      const left = targets.filter(({ id }) => !added.includes(id));
      await addToEach(
        left,
        (channel) => add.mutateAsync({ values, channel }),
        (done) => setAdded([...added, ...done]),
      );
      const routes = targets.length === 1 ? 'The route is' : `${targets.length} routes are`;
      toast.done(`${routes} added. What happens from now on is told.`);
    } else {
      await change.mutateAsync({ id: route.id, values });
      toast.done('The route is changed. What already waits is sent as before.');
    }
    onClose();
  };
  const choose = (event: Event, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, event] : chosen.filter((one) => one !== event));
  return (
    <Dialog title={route === null ? 'New route' : 'Edit the route'} isOpen onClose={onClose} side>
      <Form submit={route === null ? 'Add the route' : 'Change the route'} onSubmit={submit}>
        <TextField name="name" label="Name" defaultValue={route?.name ?? ''} maxLength={100} isRequired />
        <RouteChannels channels={channels} to={to} onChange={setTo} fixed={route === null ? added : to} />
        <fieldset className={styles['events'] ?? ''}>
          <legend>Events</legend>
          {offered.map((event) => (
            <Checkbox key={event} isSelected={chosen.includes(event)} onChange={(is) => choose(event, is)}>
              {eventWords[event].meaning}
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
          defaultValue={route?.tags.join(', ') ?? ''}
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
              defaultValue={route?.delay_minutes ?? 0}
              minValue={0}
              maxValue={10_080}
              hint="What is over by then is not told."
            />
            <Checkbox isSelected={isQuiet} onChange={setIsQuiet}>
              Quiet hours
            </Checkbox>
            {isQuiet && (
              <div className={styles['pair']}>
                <TextField
                  name="from"
                  label="From"
                  type="time"
                  defaultValue={route?.quiet_hours?.from ?? '22:00'}
                  isRequired
                  hint={zone}
                />
                <TextField
                  name="to"
                  label="To"
                  type="time"
                  defaultValue={route?.quiet_hours?.to ?? '07:00'}
                  isRequired
                />
              </div>
            )}
          </>
        ) : (
          <TextField
            name="digest"
            label="At"
            type="time"
            defaultValue={route?.digest?.at ?? '08:00'}
            isRequired
            hint={zone}
          />
        )}
      </Form>
    </Dialog>
  );
}
