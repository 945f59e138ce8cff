import type { HostDetail, KernelPosture } from '@plimsoll/contract';
import { dueAsOf, rebootReason, rebootSourceWords } from '@plimsoll/words';
import { CircleCheck, CircleHelp } from 'lucide-react';
import { useApi } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../host.module.css';
import { kernelColumns, serviceColumns } from './kernel-columns.tsx';

/** The running kernel, and whether a reboot or restarts are needed. */
export function KernelTab({ host }: { readonly host: HostDetail }) {
  const query = useApi('/hosts/{id}/kernel-posture', { params: { id: host.id } });
  return (
    <Loaded query={query} what="Loading the kernel data">
      {(kernels) => (
        <div className={styles['stack']}>
          <Reboot host={host} kernels={kernels} />
          <Kernels host={host} kernels={kernels} />
          <Services host={host} kernels={kernels} />
        </div>
      )}
    </Loaded>
  );
}

interface PostureProps {
  readonly host: HostDetail;
  readonly kernels: KernelPosture;
}

interface DueProps extends Pick<PostureProps, 'host'> {
  readonly state: KernelPosture['reboot_state'];
}

function Due({ host, state }: DueProps) {
  const { words, tone, meaning } = dueAsOf(state, host);
  return (
    <Badge tone={tone} title={meaning}>
      {words}
    </Badge>
  );
}

function Reboot({ host, kernels }: PostureProps) {
  const { running_kernel, latest_installed_kernel, running_is_latest } = kernels;
  return (
    <Panel title="Reboot" actions={<Due host={host} state={kernels.reboot_state} />}>
      <div className={styles['stack']}>
        {kernels.reboot_reasons.length > 0 && (
          <ul>
            {kernels.reboot_reasons.map(({ code, detail, source }) => (
              <li key={`${code} ${source} ${detail}`}>
                {rebootReason(code)} ({rebootSourceWords[source]})
                {detail !== '' && (
                  <>
                    : <ForeignText text={detail} />
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {kernels.reboot_unknown !== null && (
          <p>Whether a reboot is needed is not known. {kernels.reboot_unknown}</p>
        )}
        <Facts
          facts={[
            ['Running kernel', <Kernel key="running" release={running_kernel} />],
            ['Latest installed kernel', <Kernel key="latest" release={latest_installed_kernel} />],
            [
              'Latest kernel is running',
              running_is_latest === null ? 'Not known' : running_is_latest ? 'Yes' : 'No',
            ],
            ['Booted', kernels.booted_at === null ? 'Not known' : <Time key="at" at={kernels.booted_at} />],
          ]}
        />
      </div>
    </Panel>
  );
}

function Kernel({ release }: { readonly release: string | null }) {
  return release === null || release === '' ? 'Not known' : <ForeignText text={release} mono />;
}

function Kernels({ host, kernels: { installed_kernels } }: PostureProps) {
  return (
    <Panel title="Installed kernels" flush>
      {installed_kernels.length === 0 ? (
        <Empty title="No installed kernel reported" icon={CircleHelp}>
          {host.status === 'new'
            ? 'The host has not reported yet.'
            : 'Containers use the kernel of their host. Other hosts did not report their kernels.'}
        </Empty>
      ) : (
        <LongTable
          label="Installed kernels"
          columns={kernelColumns}
          rows={installed_kernels}
          rowId={(kernel) => `${kernel.package}:${kernel.version}:${kernel.release}`}
        />
      )}
    </Panel>
  );
}

function Services({ host, kernels: { services_to_restart, restart_state } }: PostureProps) {
  const isOld = host.gaps.includes('report_outdated');
  return (
    <Panel title="Services to restart" actions={<Due host={host} state={restart_state} />} flush>
      {services_to_restart.length > 0 ? (
        <LongTable
          label="Services to restart"
          columns={serviceColumns}
          rows={services_to_restart}
          rowId={({ name, reason }) => `${name}:${reason}`}
        />
      ) : restart_state === 'not_needed' ? (
        <Empty title={isOld ? 'None then' : 'None'} icon={isOld ? CircleHelp : CircleCheck}>
          {isOld
            ? 'When the host last reported, no service used files that were replaced since it started.'
            : 'No service uses files that were replaced since it started.'}
        </Empty>
      ) : (
        <Empty title={restart_state === 'needed' ? 'Some; names not known' : 'Not known'} icon={CircleHelp}>
          {host.status === 'new'
            ? 'The host has not reported yet.'
            : 'The host did not report which services run outdated code. Install needrestart or yum-utils on it.'}
        </Empty>
      )}
    </Panel>
  );
}
