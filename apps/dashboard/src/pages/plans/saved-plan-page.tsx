import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { download } from '../../api/download.ts';
import { useApi, useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmButton } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Page } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { toast } from '../../design/toasts.tsx';
import { PlanDownloads } from './plan-downloads.tsx';
import { PlanProgress } from './plan-progress.tsx';
import { PlanSummary } from './plan-summary.tsx';
import { selectionInWords } from './selection-words.ts';

/** A saved plan: what hosts did since, and its content as of the time it was made. */
export function SavedPlanPage() {
  const { id } = useParams({ from: '/signed-in/plans/$id' });
  const query = useApi('/saved-plans/{id}', { params: { id } });
  const name = query.data?.name ?? 'Saved plan';
  return (
    <Page
      title={name}
      heading={<ForeignText text={name} />}
      lead={
        query.data && (
          <>
            Saved <Time at={query.data.made_at} />
            {query.data.made_by !== null && (
              <>
                {' '}
                by <ForeignText text={query.data.made_by} />
              </>
            )}
            {query.data.selection !== null && (
              <>
                , <ForeignText text={selectionInWords(query.data.selection)} />
              </>
            )}
          </>
        )
      }
      actions={
        query.data && (
          <>
            <PlanDownloads
              save={(format) => download('/saved-plans/{id}', { params: { id }, query: { format } })}
            />
            {query.data.complete && <DeletePlan id={id} />}
          </>
        )
      }
    >
      <Loaded query={query} what="Loading the plan">
        {({ plan, deleted_hosts, complete }) => (
          <>
            {!complete && (
              <Notice tone="neutral">
                You see the hosts of this plan that have your tags. It has others, which are in no number
                here.
              </Notice>
            )}
            {deleted_hosts !== null && deleted_hosts > 0 && (
              <Notice tone="neutral">
                {hostsInWords(deleted_hosts)} of this plan {deleted_hosts === 1 ? 'was' : 'were'} deleted
                since.
              </Notice>
            )}
            <PlanProgress id={id} />
            <PlanSummary plan={plan} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Deletes the plan after a confirmation; then shows the saved plans. */
function DeletePlan({ id }: { readonly id: string }) {
  const isOperator = useMay('operator');
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await api.delete('/saved-plans/{id}', { params: { id } });
    toast.done('The plan is deleted.');
    await navigate({ to: '/plans' });
  };
  const change = useChange(remove, ['/saved-plans']);
  if (!isOperator) return null;
  return (
    <ConfirmButton
      button="Delete"
      look="danger"
      title="Delete this plan?"
      confirm="Delete plan"
      onConfirm={() => change.mutateAsync()}
    >
      <p>Its address stops working. Hosts are not changed.</p>
    </ConfirmButton>
  );
}
