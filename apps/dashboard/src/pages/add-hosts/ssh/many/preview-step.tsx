import type { SshHostsAnswer } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../api/client.ts';
import { ApiProblem, messageOf } from '../../../../api/problem.ts';
import { useChange } from '../../../../api/queries.ts';
import { Checkbox, NumberField, TextField } from '../../../../design/form/fields.tsx';
import { Form } from '../../../../design/form/form.tsx';
import { Notice } from '../../../../design/notice.tsx';
import { hostsInWords } from '../../../../design/number-words.ts';
import { DataTable } from '../../../../design/table/data-table.tsx';
import { type Column, column } from '../../../../design/table/table-columns.ts';
import { ForeignText } from '../../../../design/text/foreign-text.tsx';
import { tagsIn } from '../../../../words/tag-list.ts';
import styles from '../../add-hosts.module.css';
import { ExposureField, exposureIn, type StatedExposure } from '../../exposure-field.tsx';
import { Step } from '../../step.tsx';
import { TagsField } from '../../tags-field.tsx';
import { type NewHostRow, type ReadHosts, requestOf } from './new-hosts.ts';

interface PreviewStepProps {
  readonly name: string;
  readonly read: ReadHosts;
  /** `users`: the account of each added host. */
  readonly onAdded: (answer: SshHostsAnswer, users: readonly string[]) => void;
}

type ShownRow = NewHostRow & {
  readonly number: number;
  /** What is said of a row without problems: none is known before the server has checked it. */
  readonly ifNone: string;
};

const columns: readonly Column<ShownRow>[] = [
  column('line', 'Line', { cell: ({ line }) => line, align: 'end', from: 'medium' }),
  column('host', 'Host', {
    cell: ({ display_name, hostname }) => (
      <>
        <ForeignText text={display_name === '' ? hostname : display_name} />
        {display_name !== '' && display_name !== hostname && (
          <>
            <br />
            <small>
              <ForeignText text={hostname} />
            </small>
          </>
        )}
      </>
    ),
  }),
  column('login', 'User and port', {
    cell: ({ ssh_user, port }) => (
      <ForeignText text={`${ssh_user === '' ? '(as below)' : ssh_user}, ${port === '' ? '22' : port}`} />
    ),
    from: 'medium',
  }),
  column('problems', 'Problems', {
    cell: ({ faults, notes, ifNone }) =>
      faults.length + notes.length === 0 ? (
        ifNone
      ) : (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>
              <strong>
                <ForeignText text={fault} />
              </strong>
            </li>
          ))}
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ),
  }),
];

/** The faults that the server found, by place in the request. */
function faultsByRow(problem: unknown): ReadonlyMap<number, readonly string[]> {
  const byRow = new Map<number, string[]>();
  if (!(problem instanceof ApiProblem)) return byRow;
  for (const { pointer, detail } of problem.fields) {
    const [, part, place, ...field] = pointer.split('/');
    if (part !== 'hosts' || place === undefined) continue;
    byRow.set(Number(place), [...(byRow.get(Number(place)) ?? []), `${field.join(' ')} ${detail}`.trim()]);
  }
  return byRow;
}

const defaultUser = 'plimsoll-pull';

/** What the server says of the hosts, without adding any; null: nothing is wrong. */
function useCheck(rows: readonly NewHostRow[]) {
  return useQuery({
    queryKey: ['check of the hosts of a file', rows],
    queryFn: async (): Promise<ApiProblem | null> => {
      const defaults = { ssh_user: defaultUser, tags: [], frequency_minutes: 60, exposure: null };
      const hosts = rows.map((row) => requestOf(row, defaults));
      try {
        await send({ hosts, existing: 'refuse', check_only: true });
        return null;
      } catch (error) {
        if (error instanceof ApiProblem && error.fields.length > 0) return error;
        throw error;
      }
    },
    enabled: rows.length > 0,
    retry: false,
  });
}

/** Hosts that are in the file twice, or pulled already, are found once every row is valid. */
function wordsIfNone({ isPending, isError }: ReturnType<typeof useCheck>, hasFaults: boolean): string {
  if (isPending) return 'Being checked…';
  if (isError) return 'Not checked';
  return hasFaults ? 'None found so far' : 'None found';
}

/** The hosts of the file with their problems, and what applies to all. The server checks them before any is added. */
export function PreviewStep({ name, read, onAdded }: PreviewStepProps) {
  const [problem, setProblem] = useState<unknown>(null);
  const [exposure, setExposure] = useState<StatedExposure>('unknown');
  const add = useChange((body: Parameters<typeof send>[0]) => send(body), ['/hosts', '/fleet', '/groups']);
  const check = useCheck(read.rows);
  const found = faultsByRow(problem ?? check.data);
  const ifNone = wordsIfNone(check, found.size > 0);
  const rows = read.rows.map((row, number) => ({
    ...row,
    number,
    ifNone,
    faults: [...row.faults, ...(found.get(number) ?? [])],
  }));
  const submit = async (values: FormData) => {
    const user = String(values.get('ssh_user') ?? '').trim();
    const defaults = {
      ssh_user: user,
      tags: tagsIn(String(values.get('tags') ?? '')),
      frequency_minutes: Number(values.get('frequency_minutes')),
      exposure: exposureIn(exposure),
    };
    try {
      const hosts = read.rows.map((row) => requestOf(row, defaults));
      const added = await add.mutateAsync({ hosts, existing: values.has('skip') ? 'skip' : 'refuse' });
      onAdded(
        added,
        added.hosts.flatMap(({ index }) => hosts[index]?.ssh_user ?? []),
      );
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <Step number={2} title={`Check ${hostsInWords(rows.length)}`} takesFocus>
      {read.faults.map((fault) => (
        <Notice key={fault} tone="important">
          <ForeignText text={fault} />
        </Notice>
      ))}
      {problem === null && found.size > 0 && (
        <Notice tone="important">{hostsInWords(found.size)} cannot be added; see the table.</Notice>
      )}
      {problem !== null && (
        <Notice tone="critical">
          No host was added.{' '}
          {found.size > 0
            ? `${hostsInWords(found.size)} cannot be added; see the table.`
            : messageOf(problem)}
        </Notice>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Hosts in the file"
            columns={columns}
            rows={rows}
            rowId={({ number }) => `${name} ${number}`}
          />
          <Form submit={`Add ${hostsInWords(rows.length)}`} onSubmit={submit}>
            <div className={styles['pair']}>
              <TextField
                name="ssh_user"
                label="User, where the file names none"
                defaultValue={defaultUser}
                isRequired
              />
              <NumberField
                name="frequency_minutes"
                label="Minutes between pulls"
                defaultValue={60}
                minValue={5}
                maxValue={10_080}
                isRequired
              />
            </div>
            <TagsField />
            <ExposureField value={exposure} onChange={setExposure} />
            <Checkbox name="skip">Leave out hosts that are pulled already</Checkbox>
          </Form>
        </>
      )}
    </Step>
  );
}

function send(body: {
  readonly hosts: readonly ReturnType<typeof requestOf>[];
  readonly existing: 'refuse' | 'skip';
  readonly check_only?: boolean;
}): Promise<SshHostsAnswer> {
  return api.post('/hosts/ssh/batch', { body: { ...body, hosts: [...body.hosts] } });
}
