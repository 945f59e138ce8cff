import type { Channel, Route } from '@plimsoll/contract';
import { eventWords } from '@plimsoll/words';
import { Plus, Split } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { ConfirmButton } from '../../../design/dialog.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';
import { RouteForm } from './route-form.tsx';

/** The routes, by name. */
export function RoutesPanel({ channels }: { readonly channels: readonly Channel[] }) {
  const [isMaking, setIsMaking] = useState(false);
  const routes = useApi('/routes');
  const make = (
    <Button onPress={() => setIsMaking(true)} isDisabled={channels.length === 0}>
      <Plus aria-hidden /> Add a route
    </Button>
  );
  return (
    <>
      <Panel title="Routes" flush actions={make}>
        <Loaded query={routes} what="Loading the routes">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No routes" icon={Split}>
                A route says which events go to a channel, and when.{' '}
                {channels.length === 0 ? 'Add a channel first.' : 'Without one, nothing is sent.'}
              </Empty>
            ) : (
              <LongTable label="Routes" columns={columnsWith(channels)} rows={rows} rowId={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      {isMaking && <RouteForm route={null} channels={channels} onClose={() => setIsMaking(false)} />}
    </>
  );
}

function columnsWith(channels: readonly Channel[]): readonly Column<Route>[] {
  const nameOf = (id: string) => channels.find((channel) => channel.id === id)?.name ?? '';
  return [
    column('name', 'Name', {
      width: '12rem',
      cell: ({ name, paused, channel_id }) => (
        <span className={styles['text']}>
          <ForeignText text={name} oneLine /> {paused && <Badge tone="neutral">Paused</Badge>}
          <span className={styles['onPhones']}>
            to <ForeignText text={nameOf(channel_id)} oneLine />
          </span>
        </span>
      ),
    }),
    column('channel', 'To', {
      width: '10rem',
      from: 'medium',
      cell: ({ channel_id }) => <ForeignText text={nameOf(channel_id)} oneLine />,
    }),
    column('events', 'Events', {
      width: '18rem',
      cell: (route) => (
        <span className={styles['text']}>
          {route.events.map((event) => eventWords[event].meaning).join(' · ')}
          <span className={styles['onPhones']}>{whenOf(route)}</span>
        </span>
      ),
    }),
    column('when', 'When', {
      width: '12rem',
      from: 'medium',
      cell: (route) => <span className={styles['text']}>{whenOf(route)}</span>,
    }),
    column('actions', 'Actions', {
      align: 'end',
      width: '13rem',
      cell: (route) => <RouteActions route={route} channels={channels} to={nameOf(route.channel_id)} />,
    }),
  ];
}

/** When a route tells, and about what. */
function whenOf({
  digest,
  quiet_hours: quiet,
  delay_minutes: delay,
  min_severity: severity,
  tags,
}: Route): string {
  const when =
    digest !== null
      ? `${digest.every === 'day' ? 'Daily' : 'Mondays'} at ${digest.at} (${digest.time_zone})`
      : delay > 0
        ? `After ${delay} minutes, unless it is over by then`
        : 'At once';
  const parts = [
    when,
    ...(quiet === null ? [] : [`quiet ${quiet.from}–${quiet.to} (${quiet.time_zone})`]),
    ...(severity === null ? [] : [`findings from ${severity} up`]),
    ...(tags.length === 0 ? [] : [`hosts tagged ${tags.join(', ')}`]),
  ];
  return parts.join('; ');
}

interface RouteActionsProps {
  readonly route: Route;
  readonly channels: readonly Channel[];
  /** The name of its channel. */
  readonly to: string;
}

function RouteActions({ route, channels, to }: RouteActionsProps) {
  const { id, name, paused } = route;
  const [isEditing, setIsEditing] = useState(false);
  const pause = useChange(
    () => api.patch('/routes/{id}', { params: { id }, body: { paused: !paused } }),
    ['/routes'],
  );
  const remove = useChange(() => api.delete('/routes/{id}', { params: { id } }), ['/routes']);
  // Several routes of one name tell several channels.
  const of = `${printable(name, 60)} to ${printable(to, 60)}`;
  return (
    <span className={styles['inline']}>
      <Button look="quiet" onPress={() => setIsEditing(true)} aria-label={`Edit the route ${of}`}>
        Edit
      </Button>
      {isEditing && <RouteForm route={route} channels={channels} onClose={() => setIsEditing(false)} />}
      <Button
        look="quiet"
        isPending={pause.isPending}
        onPress={() =>
          toast.outcome(pause.mutateAsync(), paused ? 'The route is used again.' : 'The route is paused.')
        }
        aria-label={`${paused ? 'Resume' : 'Pause'} the route ${of}`}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <ConfirmButton
        button="Delete"
        look="quiet"
        label={`Delete the route ${of}`}
        title="Delete this route?"
        confirm="Delete the route"
        onConfirm={() => remove.mutateAsync()}
        done="The route is deleted."
      >
        <p>
          <strong>
            <ForeignText text={name} oneLine />
          </strong>{' '}
          tells nothing new any more. What already waits is still sent.
        </p>
      </ConfirmButton>
    </span>
  );
}
