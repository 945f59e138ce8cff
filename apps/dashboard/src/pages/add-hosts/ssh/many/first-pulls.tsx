import type { HostDetail, PullJob, SshHostsAnswer } from '@plimsoll/contract';
import { pullErrorWords, pullStatusWords } from '@plimsoll/words';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../../api/client.ts';
import { messageOf } from '../../../../api/problem.ts';
import { apiQuery, useChange } from '../../../../api/queries.ts';
import { Badge } from '../../../../design/badge.tsx';
import { Button } from '../../../../design/button.tsx';
import { Notice } from '../../../../design/notice.tsx';
import { groupedNumber, hostsInWords } from '../../../../design/number-words.ts';
import { Progress } from '../../../../design/progress.tsx';
import { DataTable } from '../../../../design/table/data-table.tsx';
import { type Column, column } from '../../../../design/table/table-columns.ts';
import { ForeignText } from '../../../../design/text/foreign-text.tsx';
import { Step } from '../../step.tsx';

interface PulledHost {
  readonly id: string;
  readonly name: string;
  /** Undefined before the first pull. */
  readonly job: PullJob | undefined;
  /** Undefined before a pull succeeded. */
  readonly host: HostDetail | undefined;
}

const columns: readonly Column<PulledHost>[] = [
  column('host', 'Host', {
    cell: ({ id, name }) => (
      <Link to="/hosts/$id" params={{ id }}>
        <ForeignText text={name} />
      </Link>
    ),
    sortBy: ({ name }) => name,
  }),
  column('state', 'Newest pull', {
    cell: ({ job }) => <State job={job} />,
    sortBy: ({ job }) => job?.status ?? '',
  }),
  column('why', 'What to do', {
    cell: ({ job }) =>
      job?.status === 'failed' ? (
        <ForeignText text={job.error_message ?? pullErrorWords[job.error_code ?? 'internal'].advice} />
      ) : (
        ''
      ),
  }),
  column('key', 'Host key', {
    cell: ({ host }) => <HostKey host={host} />,
    from: 'medium',
  }),
];

/** The key that the host is identified by from now on. */
function HostKey({ host }: Pick<PulledHost, 'host'>) {
  if (host?.ssh == null) return '';
  return (
    <>
      <ForeignText text={host.ssh.host_key_fingerprint ?? 'none'} mono />
      {host.machine_id_conflict_with !== null && (
        <>
          <br />
          <Link to="/hosts/$id" params={{ id: host.machine_id_conflict_with }}>
            Another host has the same machine id
          </Link>
        </>
      )}
    </>
  );
}

function State({ job }: Pick<PulledHost, 'job'>) {
  if (job === undefined) return 'Not pulled yet';
  const { words, tone } = pullStatusWords[job.status];
  return <Badge tone={tone}>{words}</Badge>;
}

const pollMs = 5_000;

/** Pulls the hosts that were added, and shows which of them answered. */
export function FirstPulls({ hosts }: Pick<SshHostsAnswer, 'hosts'>) {
  const pull = useChange(
    () => api.post('/hosts/actions', { body: { action: 'pull_now', hosts: hosts.map(({ id }) => id) } }),
    ['/hosts'],
  );
  const results = useQueries({
    queries: hosts.map(({ id }) => ({
      ...apiQuery('/hosts/{id}/pull-jobs', { params: { id } }),
      refetchInterval: pollMs,
    })),
  });
  const details = useQueries({
    queries: hosts.map(({ id }, n) => ({
      ...apiQuery('/hosts/{id}', { params: { id } }),
      enabled: results[n]?.data?.[0]?.status === 'succeeded',
    })),
  });
  const rows = hosts.map(({ id, display_name }, n) => ({
    id,
    name: display_name,
    job: results[n]?.data?.[0],
    host: details[n]?.data,
  }));
  const inState = (status: PullJob['status']) => rows.filter(({ job }) => job?.status === status).length;
  const [succeeded, failed] = [inState('succeeded'), inState('failed')];
  if (hosts.length === 0) return null;
  return (
    <Step number={4} title="Test the pulls">
      <p>
        Once the line is on the hosts, pull them. Each is also pulled by itself, every few minutes at first.
      </p>
      {pull.isError && <Notice tone="critical">{messageOf(pull.error)}</Notice>}
      <div>
        <Button look="primary" isPending={pull.isPending} onPress={() => pull.mutate()}>
          Pull {hostsInWords(hosts.length)} now
        </Button>
      </div>
      <Progress
        label={`${succeeded} of ${hostsInWords(hosts.length)} pulled, ${groupedNumber(failed)} failed`}
        part={(succeeded + failed) / hosts.length}
      />
      {succeeded > 0 && (
        <Notice tone="neutral">
          A host without a fingerprint in the file is identified from now on by the key that it showed first.
          Compare it with the output of <code>ssh-keygen -lf</code> for the key file on the host: until then,
          another machine could have answered.
        </Notice>
      )}
      <DataTable label="First pulls" columns={columns} rows={rows} rowId={({ id }) => id} />
    </Step>
  );
}
