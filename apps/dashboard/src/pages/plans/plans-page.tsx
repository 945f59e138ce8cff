import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, type RequestOf } from '../../api/client.ts';
import { downloadPosted } from '../../api/download.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { PlanDownloads } from './plan-downloads.tsx';
import { PlanOptions } from './plan-options.tsx';
import { PlanSummary } from './plan-summary.tsx';
import styles from './plans.module.css';
import type { PlansSearch } from './plans-search.ts';
import { SavedPlans } from './saved-plans.tsx';

/** Plans an upgrade of several hosts; without a selection, the saved plans. */
export function PlansPage() {
  const search = useSearch({ from: '/signed-in/plans' });
  const request = planRequestOf(search);
  if (request === null) return <NoSelection />;
  return (
    <Page
      title="Patch window"
      lead="What one upgrade of these hosts would do, from their last reports. Nothing is changed from here."
      actions={
        <PlanDownloads save={(format) => downloadPosted('/plans', { body: request, query: { format } })} />
      }
    >
      <div className={styles['forScreens']}>
        <Panel title="Options">
          <PlanOptions search={search} />
        </Panel>
      </div>
      <PlanNow request={request} />
    </Page>
  );
}

function PlanNow({ request }: { readonly request: PlanRequest }) {
  const isOperator = useMay('operator');
  const query = useQuery({
    queryKey: ['/plans', request],
    queryFn: ({ signal }) => api.post('/plans', { body: request, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded query={query} what="Planning the hosts">
      {(plan) => (
        <>
          {isOperator && plan.hosts.length > 0 && <SavePlan request={request} />}
          <PlanSummary plan={plan} />
        </>
      )}
    </Loaded>
  );
}

/** Saves the plan under a name, so that others can open it and see what is done. */
function SavePlan({ request }: { readonly request: PlanRequest }) {
  const navigate = useNavigate();
  const save = useChange(
    (name: string) => api.post('/saved-plans', { body: { ...request, name } }),
    ['/saved-plans'],
  );
  const submit = async (values: FormData): Promise<void> => {
    const { id } = await save.mutateAsync(String(values.get('name')));
    await navigate({ to: '/plans/$id', params: { id } });
  };
  const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <div className={styles['forScreens']}>
      <Panel title="Save and follow">
        <div className={styles['form']}>
          <Form submit="Save the plan" onSubmit={submit}>
            <TextField
              name="name"
              label="Name"
              isRequired
              maxLength={200}
              defaultValue={`Patch window ${today}`}
              hint="Saved plans have an address to share, and show what is done and what is not."
            />
          </Form>
        </div>
      </Panel>
    </div>
  );
}

function NoSelection() {
  const navigate = useNavigate({ from: '/plans' });
  const plan = async (values: FormData): Promise<void> => {
    const tags = listOf(String(values.get('tags')));
    if (tags.length > 0) await navigate({ to: '/plans', search: { tags: tags.join(',') } });
  };
  return (
    <Page
      title="Patch windows"
      lead="Select rows in the list of hosts and choose “Plan updates”, or plan hosts by their tags."
    >
      <Panel title="Plan by tags">
        <div className={styles['form']}>
          <Form submit="Plan updates" onSubmit={plan}>
            <TextField
              name="tags"
              label="Tags"
              isRequired
              hint="With commas; hosts with at least one of them."
            />
          </Form>
        </div>
      </Panel>
      <SavedPlans />
    </Page>
  );
}

/** The body of POST /plans. */
type PlanRequest = RequestOf<'post', '/plans'>['body'];

/** The request that an address stands for; null without a selection of hosts. The server checks its values. */
function planRequestOf(search: PlansSearch): PlanRequest | null {
  const selection = selectionOf(search);
  if (selection === null) return null;
  const { upgrades, versions, reboot, share } = search;
  return {
    ...selection,
    ...(upgrades !== undefined && { upgrades }),
    ...(versions !== undefined && { versions }),
    ...(reboot === 'true' && { reboot: true }),
    ...(share !== undefined && { share: Number(share) }),
  } as PlanRequest; // text of an address
}

function selectionOf({ hosts, tags, filter }: PlansSearch): object | null {
  if (hosts !== undefined) return { hosts: hosts.split(',') };
  if (tags !== undefined) return { tags: listOf(tags) };
  if (filter === undefined) return null;
  return { filter: filter === 'all' ? {} : Object.fromEntries(new URLSearchParams(filter)) };
}

/** The entries of a list with commas. */
function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
