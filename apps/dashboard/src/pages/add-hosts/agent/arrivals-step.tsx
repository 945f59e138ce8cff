import type { Host, RegistrationToken } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../../api/queries.ts';
import { Progress } from '../../../design/progress.tsx';
import { Loaded } from '../../../design/states.tsx';
import styles from '../add-hosts.module.css';
import { Step } from '../step.tsx';
import { ArrivedHost } from './arrived-host.tsx';

/** Polling interval; events update the list earlier. */
const pollMs = 3_000;
const shownHosts = 10;
const newestAgents = {
  query: { onboarding_mode: 'agent', sort: '-created_at', limit: String(shownHosts) },
} as const;

/** Hosts that enrol from now on, in order of arrival. */
export function ArrivalsStep({ tokenId }: { readonly tokenId: string }) {
  const find = (tokens: readonly RegistrationToken[] | undefined) => tokens?.find(({ id }) => id === tokenId);
  const tokens = useQuery({
    ...apiQuery('/registration-tokens'),
    refetchInterval: ({ state }) => (isOpen(find(state.data), Date.now()) ? pollMs : false),
  });
  const token = find(tokens.data);
  const since = (hosts: readonly Host[]) =>
    token === undefined ? [] : hosts.filter(({ created_at }) => created_at >= token.created_at);
  const hosts = useQuery({
    ...apiQuery('/hosts', newestAgents),
    refetchInterval: ({ state }) =>
      isOpen(token, Date.now()) || since(state.data ?? []).some(isUnsettled) ? pollMs : false,
  });
  return (
    <Step number={2} title="Watch the host appear">
      <Loaded query={tokens}>
        {() =>
          token === undefined ? (
            <p>This token does not exist. Create another one.</p>
          ) : (
            <Loaded query={hosts}>
              {(newest) => (
                <Arrivals
                  token={token}
                  isWaiting={isOpen(token, tokens.dataUpdatedAt)}
                  hosts={since(newest)}
                />
              )}
            </Loaded>
          )
        }
      </Loaded>
    </Step>
  );
}

/** Whether a host can still enrol with the token. */
function isOpen(token: RegistrationToken | undefined, now: number): boolean {
  if (token === undefined) return false;
  return token.uses < token.max_uses && token.revoked_at === null && Date.parse(token.expires_at) > now;
}

function isUnsettled({ status, approval_status }: Host): boolean {
  return status === 'new' || approval_status === 'pending';
}

interface ArrivalsProps {
  readonly token: RegistrationToken;
  readonly isWaiting: boolean;
  readonly hosts: readonly Host[];
}

function Arrivals({ token, isWaiting, hosts }: ArrivalsProps) {
  const { uses, max_uses, revoked_at } = token;
  return (
    <>
      {isWaiting && (
        <Progress
          label={uses === 0 ? 'Waiting for the host to enrol' : 'Waiting for more hosts'}
          part={null}
        />
      )}
      {uses < max_uses && !isWaiting && (
        <p>
          The token {revoked_at === null ? 'has expired' : 'was revoked'}. No more hosts can enrol with it.
        </p>
      )}
      <p role="status">
        <Link to="/settings" search={{ tab: 'tokens' }}>
          {uses} of {max_uses}
        </Link>{' '}
        {max_uses === 1 ? 'host has' : 'hosts have'} enrolled with this token.
      </p>
      {hosts.length > 0 && (
        <ul className={styles['list']} aria-label="Hosts enrolled since the token was created">
          {hosts.map((host) => (
            <ArrivedHost key={host.id} host={host} />
          ))}
        </ul>
      )}
      {hosts.length > uses && (
        <p className={styles['lead']}>Some of these hosts enrolled with other tokens.</p>
      )}
      {hosts.length === shownHosts && (
        <Link to="/hosts" search={{ onboarding_mode: 'agent', sort: '-created_at' }}>
          All hosts with an agent, newest first
        </Link>
      )}
    </>
  );
}
