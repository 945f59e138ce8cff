import type { PackageFamily } from '@plimsoll/model';
import { collectorWords, proposedCollector } from '@plimsoll/words';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { api, type RequestOf } from '../../../api/client.ts';
import { fetchFile } from '../../../api/download.ts';
import { apiQuery, useChange } from '../../../api/queries.ts';
import { DownloadButton } from '../../../design/download-button.tsx';
import { SearchField, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Loaded } from '../../../design/states.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import styles from '../add-hosts.module.css';
import { ChosenHost } from '../chosen-host.tsx';
import { ExposureField, exposureIn, type StatedExposure } from '../exposure-field.tsx';
import { HostSteps } from '../host-steps.tsx';
import { Step } from '../step.tsx';
import { TagsField } from '../tags-field.tsx';
import { ReportStep } from './report-step.tsx';

/** Adds a host without a connection to this server: from the host to its findings. `hostId`: the chosen host. */
export function ManualWay({ hostId }: { readonly hostId: string | undefined }) {
  if (hostId !== undefined) return <ChosenManualHost key={hostId} id={hostId} />;
  return (
    <div className={styles['steps']}>
      <p className={styles['lead']}>
        Run the collector on the host and upload its report here. Use it where the host and this server have
        no network connection.
      </p>
      <Step number={1} title="Choose a host">
        <div className={styles['two']}>
          <div>
            <h3>New host</h3>
            <ManualHostForm />
          </div>
          <div>
            <h3>Existing host</h3>
            <ExistingHosts />
          </div>
        </div>
      </Step>
    </div>
  );
}

function ChosenManualHost({ id }: { readonly id: string }) {
  return (
    <HostSteps id={id} way="manual">
      {(host) => (
        <>
          <ChosenHost title="The host" host={host} way="manual" another="Another host" />
          <CollectorStep family={proposedCollector[host.os_family]} />
          <ReportStep host={host} />
        </>
      )}
    </HostSteps>
  );
}

const route = getRouteApi('/signed-in/add-hosts');

/** Adds a host whose reports are uploaded by hand. */
function ManualHostForm() {
  const navigate = route.useNavigate();
  const [exposure, setExposure] = useState<StatedExposure>('unknown');
  const add = useChange(
    (body: RequestOf<'post', '/hosts/manual'>['body']) => api.post('/hosts/manual', { body }),
    ['/hosts', '/fleet'],
  );
  const submit = async (values: FormData) => {
    const hostname = String(values.get('hostname')).trim();
    const name = String(values.get('display_name')).trim();
    const { id } = await add.mutateAsync({
      hostname,
      display_name: name || hostname,
      tags: tagsIn(String(values.get('tags') ?? '')),
      exposure: exposureIn(exposure),
    });
    await navigate({ search: { way: 'manual', host: id } });
  };
  return (
    <Form submit="Add the host" onSubmit={submit}>
      <TextField name="hostname" label="Hostname" maxLength={253} isRequired />
      <TextField
        name="display_name"
        label="Display name"
        maxLength={200}
        hint="Optional. Default: the hostname."
      />
      <TagsField />
      <ExposureField value={exposure} onChange={setExposure} />
    </Form>
  );
}

const shownHosts = 8;

/** Finds a host by name or address, to upload a report for it. */
function ExistingHosts() {
  const [words, setWords] = useState('');
  const q = useDeferredValue(words.trim());
  const query = useQuery({
    ...apiQuery('/hosts', { query: { limit: String(shownHosts), ...(q !== '' && { q }) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SearchField label="Search by name or address" value={words} onChange={setWords} maxLength={253} />
      <Loaded query={query}>
        {(hosts) =>
          hosts.length === 0 ? (
            <p role="status" className={styles['lead']}>
              {q === '' ? 'No hosts yet.' : 'No matching host.'}
            </p>
          ) : (
            <ul className={styles['list']} aria-label="Hosts">
              {hosts.map(({ id, display_name, hostname }) => (
                <li key={id}>
                  <Link to="/add-hosts" search={{ way: 'manual', host: id }}>
                    <ForeignText text={display_name} oneLine />
                  </Link>{' '}
                  {hostname !== display_name && <ForeignText text={hostname} oneLine />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className={styles['lead']}>
        You can upload a report for any host, also for one with an agent or SSH.
      </p>
    </>
  );
}

const families = Object.entries(collectorWords) as [PackageFamily, string][]; // Object.entries forgets the keys.

/** The collector for a package family, which can be changed, and how to run it. `family`: the first choice. */
function CollectorStep({ family: known }: { readonly family: PackageFamily }) {
  const [family, setFamily] = useState<PackageFamily>(known);
  const name = `collector-${family}.sh`;
  return (
    <Step number={2} title="Run the collector">
      <div className={styles['pair']}>
        <Select label="Package manager" value={family} onChange={setFamily} options={families} />
      </div>
      <div>
        <DownloadButton
          words={`Download ${name}`}
          download={() => fetchFile('/hosts/manual/script', { query: { os_family: family } })}
        />
      </div>
      <p>
        Copy it to the host and run it there. You can read it first: it changes nothing and sends nothing. It
        also works without root, but then reports fewer services to restart.
      </p>
      <CopyField text={`sudo sh ${name} > report.txt`} what="command" />
    </Step>
  );
}
