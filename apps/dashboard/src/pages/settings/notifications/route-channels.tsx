import type { Channel, Route } from '@plimsoll/contract';
import { messageOf } from '../../../api/problem.ts';
import { Checkbox } from '../../../design/form/fields.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import styles from '../settings.module.css';

type Event = Route['events'][number];

/** Those of the events that a channel may be told: what is about the whole installation is not for a part of its hosts. */
export function eventsFor(channel: Channel | undefined, events: readonly Event[]): Event[] {
  const isLimited = channel?.tags != null;
  return events.filter((event) => !(isLimited && (event === 'auth.lockout' || event === 'waiver.expiring')));
}

/**
 * Adds a route for each channel, one after the other. Throws an error that names the channels with and without a route if
 * any fails; of a single channel the error of the server, which names its field.
 * @param onAdded told the ids of the channels with a new route before it throws: they must not get another one.
 */
export async function addToEach(
  channels: readonly Channel[],
  add: (channel: Channel) => Promise<unknown>,
  onAdded: (ids: readonly string[]) => void,
): Promise<void> {
  if (channels.length === 0) throw new Error('Choose a channel that has no route yet.');
  const added: Channel[] = [];
  const failures: { readonly channel: Channel; readonly error: unknown }[] = [];
  for (const channel of channels)
    await add(channel).then(
      () => added.push(channel),
      (error: unknown) => failures.push({ channel, error }),
    );
  if (failures.length === 0) return;
  onAdded(added.map(({ id }) => id));
  if (channels.length === 1) throw failures[0]?.error;
  const nameOf = ({ name }: Channel) => `“${printable(name, 60)}”`;
  const done = added.length === 0 ? '' : `The route to ${added.map(nameOf).join(', ')} is added. `;
  const left = failures.map(({ channel, error }) => `To ${nameOf(channel)} it is not: ${messageOf(error)}`);
  throw new Error(`${done}${left.join(' ')}`);
}

interface RouteChannelsProps {
  readonly channels: readonly Channel[];
  /** Ids of the chosen ones. */
  readonly to: readonly string[];
  readonly onChange: (to: readonly string[]) => void;
  /** Ids of those that have the route already. */
  readonly fixed: readonly string[];
}

/** The channels of a route, of which each gets its own. */
export function RouteChannels({ channels, to, onChange, fixed }: RouteChannelsProps) {
  return (
    <fieldset className={styles['events'] ?? ''}>
      <legend>Channels</legend>
      {channels.map(({ id, name, kind }) => (
        <Checkbox
          key={id}
          isSelected={to.includes(id)}
          isDisabled={fixed.includes(id)}
          onChange={(is) => onChange(is ? [...to, id] : to.filter((one) => one !== id))}
        >
          <ForeignText text={name} oneLine /> ({kind}){fixed.includes(id) && ', has it'}
        </Checkbox>
      ))}
    </fieldset>
  );
}
