import type { Bulletin, Channel } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Mail, Plus } from 'lucide-react';
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
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { bulletinTimes } from '../../../words/bulletin-words.ts';
import styles from '../settings.module.css';
import { BulletinForm } from './bulletin-form.tsx';

/** The reports by mail, by name. */
export function BulletinsPanel({ channels }: { readonly channels: readonly Channel[] }) {
  const [isMaking, setIsMaking] = useState(false);
  const bulletins = useApi('/bulletins');
  const mail = channels.filter(({ kind }) => kind === 'email');
  const make = (
    <Button onPress={() => setIsMaking(true)} isDisabled={mail.length === 0}>
      <Plus aria-hidden /> Add a report
    </Button>
  );
  return (
    <>
      <Panel title="Reports by mail" flush actions={make}>
        <Loaded query={bulletins} what="Loading the reports">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No reports by mail" icon={Mail}>
                A report says regularly what is open, overdue and new on a group of hosts.{' '}
                {mail.length === 0 && 'Add a channel for e-mail first: it has the recipients.'}
              </Empty>
            ) : (
              <LongTable
                label="Reports by mail"
                columns={columnsWith(channels)}
                rows={rows}
                rowId={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
      {isMaking && <BulletinForm bulletin={null} channels={mail} onClose={() => setIsMaking(false)} />}
    </>
  );
}

function columnsWith(channels: readonly Channel[]): readonly Column<Bulletin>[] {
  return [
    column('name', 'Name', {
      width: '12rem',
      cell: ({ id, name, paused }) => (
        <span className={styles['inline']}>
          <Link to="/bulletins/$id" params={{ id }}>
            <ForeignText text={name} oneLine />
          </Link>
          {paused && <Badge tone="neutral">Paused</Badge>}
        </span>
      ),
    }),
    column('channel', 'To', {
      width: '12rem',
      from: 'medium',
      cell: ({ channel_id }) => {
        const channel = channels.find(({ id }) => id === channel_id);
        return (
          <span className={styles['text']}>
            <ForeignText text={channel?.addresses.join(', ') ?? ''} />
            {channel?.paused === true && ' (the channel is paused)'}
          </span>
        );
      },
    }),
    column('when', 'When', {
      width: '14rem',
      cell: (bulletin) => (
        <span className={styles['text']}>
          {bulletinTimes(bulletin)}
          {bulletin.last_at !== null && (
            <>
              ; last <Time at={bulletin.last_at} />
            </>
          )}
        </span>
      ),
    }),
    column('actions', 'Actions', {
      align: 'end',
      width: '18rem',
      cell: (bulletin) => <BulletinActions bulletin={bulletin} channels={channels} />,
    }),
  ];
}

function BulletinActions({
  bulletin,
  channels,
}: {
  readonly bulletin: Bulletin;
  readonly channels: readonly Channel[];
}) {
  const { id, name, paused } = bulletin;
  const [isEditing, setIsEditing] = useState(false);
  const pause = useChange(
    () => api.patch('/bulletins/{id}', { params: { id }, body: { paused: !paused } }),
    ['/bulletins'],
  );
  const send = useChange(
    () => api.post('/bulletins/{id}/send', { params: { id } }),
    ['/bulletins', '/deliveries'],
  );
  const remove = useChange(
    () => api.delete('/bulletins/{id}', { params: { id } }),
    ['/bulletins', '/deliveries'],
  );
  const of = printable(name, 60);
  return (
    <span className={styles['inline']}>
      <Button
        look="quiet"
        isPending={send.isPending}
        onPress={() => toast.outcome(send.mutateAsync(), 'The report is sent now: see the messages below.')}
        aria-label={`Send now the report ${of}`}
      >
        Send now
      </Button>
      <Button look="quiet" onPress={() => setIsEditing(true)} aria-label={`Edit the report ${of}`}>
        Edit
      </Button>
      {isEditing && (
        <BulletinForm bulletin={bulletin} channels={channels} onClose={() => setIsEditing(false)} />
      )}
      <Button
        look="quiet"
        isPending={pause.isPending}
        onPress={() =>
          toast.outcome(pause.mutateAsync(), paused ? 'The report is sent again.' : 'The report is paused.')
        }
        aria-label={`${paused ? 'Resume' : 'Pause'} the report ${of}`}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <ConfirmButton
        button="Delete"
        look="quiet"
        label={`Delete the report ${of}`}
        title="Delete this report?"
        confirm="Delete the report"
        onConfirm={() => remove.mutateAsync()}
        done="The report is deleted."
      >
        <p>
          <strong>
            <ForeignText text={name} oneLine />
          </strong>{' '}
          is not sent any more, not even what waits.
        </p>
      </ConfirmButton>
    </span>
  );
}
