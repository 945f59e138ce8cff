import type { Channel } from '@plimsoll/contract';
import { channelKindWords } from '@plimsoll/words';
import { Bell, Plus } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { ChannelActions } from './channel-actions.tsx';
import { NewChannel } from './new-channel.tsx';

/** The channels, with a button for each of their actions. */
export function ChannelsPanel({ channels }: { readonly channels: readonly Channel[] }) {
  const [isMaking, setIsMaking] = useState(false);
  const make = (
    <Button look="primary" onPress={() => setIsMaking(true)}>
      <Plus aria-hidden /> Add a channel
    </Button>
  );
  return (
    <>
      <Panel title="Channels" flush actions={make}>
        {channels.length === 0 ? (
          <Empty title="No channels" icon={Bell}>
            A channel is where messages go: an address of a chat, a webhook, or e-mail. Nobody is told of
            anything until there is a channel with a route.
          </Empty>
        ) : (
          <LongTable label="Channels" columns={columns} rows={channels} rowId={({ id }) => id} />
        )}
      </Panel>
      <NewChannel isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  );
}

const columns: readonly Column<Channel>[] = [
  column('name', 'Name', {
    width: '12rem',
    cell: ({ name, paused }) => (
      <span className={styles['inline']}>
        <ForeignText text={name} oneLine />
        {paused && <Badge tone="neutral">Paused</Badge>}
      </span>
    ),
  }),
  column('kind', 'Kind', {
    width: '8rem',
    from: 'medium',
    cell: ({ kind, has_secret }) => (
      <span className={styles['inline']}>
        {channelKindWords[kind].words}
        {has_secret && <Badge tone="neutral">{kind === 'ntfy' ? 'With token' : 'Signed'}</Badge>}
      </span>
    ),
  }),
  column('address', 'Goes to', {
    width: '16rem',
    cell: ({ url, addresses, unconfirmed, tags, previous_secret_until: until }) => (
      <span className={styles['text']}>
        <ForeignText text={url ?? addresses.join(', ')} />
        {tags !== null && (
          <>
            {' '}
            (only hosts tagged <ForeignText text={tags.join(', ')} oneLine />)
          </>
        )}
        {unconfirmed.length > 0 && (
          <>
            {' '}
            Not confirmed, so nothing else is sent to: <ForeignText text={unconfirmed.join(', ')} />
          </>
        )}
        {until !== null && Date.parse(until) > Date.now() && (
          <>
            {' '}
            The replaced secret signs too, until <Time at={until} />.
          </>
        )}
      </span>
    ),
  }),
  column('actions', 'Actions', {
    align: 'end',
    width: '18rem',
    cell: (channel) => <ChannelActions channel={channel} />,
  }),
];
