import type { HostDetail } from '@plimsoll/contract';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../host.module.css';
import { useHostLife } from '../retire-host.tsx';
import { useOpenTab } from '../use-host-search.ts';

/** Says that a host is retired, and takes it back into service. */
export function RetiredHost({ host }: { readonly host: HostDetail }) {
  const mayReinstate = useMay('operator');
  const life = useHostLife(host.id);
  const openTab = useOpenTab();
  const isAgent = host.onboarding_mode === 'agent';
  const reinstate = () =>
    toast.outcome(
      life.mutateAsync('reinstate').then(() => {
        if (isAgent) openTab('settings');
      }),
      isAgent ? 'The host is reinstated. Connect its agent again.' : 'The host is reinstated.',
    );
  return (
    <Notice tone="important">
      <p>
        <strong>
          This host was retired <Time at={host.retired_at} />.
        </strong>{' '}
        It is in no list and in no total, and its reports are refused. What is shown here is as of its last
        report.
        {isAgent && ' After it is reinstated, its agent must be connected again: Settings has the command.'}
      </p>
      {mayReinstate && (
        <div className={styles['inline']}>
          <Button isPending={life.isPending} onPress={reinstate}>
            Reinstate
          </Button>
        </div>
      )}
    </Notice>
  );
}
