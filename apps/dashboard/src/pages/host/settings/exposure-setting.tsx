import type { HostDetail } from '@plimsoll/contract';
import { exposureWords } from '@plimsoll/words';
import { Select } from '../../../design/form/fields.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../host.module.css';
import { useHostChange } from './use-host-change.ts';

const sourceWords = {
  operator: 'set by hand',
  tag_rule: 'by a rule for one of its tags',
  registration_token: 'by its registration token',
} as const;

const choices = [
  ['derived', 'Not set by hand'],
  ['public', 'Yes'],
  ['internal', 'No'],
  ['unknown', 'Not known'],
] as const;

/** Whether the host can be reached from the internet, and who says so. */
export function ExposureSetting({
  host,
  mayChange,
}: {
  readonly host: HostDetail;
  readonly mayChange: boolean;
}) {
  const change = useHostChange(host.id);
  const { exposure, exposure_source: source } = host;
  const set = (value: (typeof choices)[number][0]) =>
    change({ exposure: value === 'derived' ? null : value }, 'The exposure is changed.').catch(toast.failed);
  return (
    <Panel title="Reachable from the internet">
      <div className={styles['stack']}>
        <p>
          <strong>{exposureWords[exposure]}</strong>
          {source !== null && `, ${sourceWords[source]}`}.
          {exposure === 'unknown' && ' Due dates count the host as reachable.'}
        </p>
        {mayChange && (
          <Select
            label="Set by hand"
            hint="Takes precedence over rules for tags and over the registration token."
            value={source === 'operator' ? exposure : 'derived'}
            onChange={set}
            options={choices}
          />
        )}
      </div>
    </Panel>
  );
}
