import type { Waiver } from '@plimsoll/contract';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmButton } from '../../design/dialog.tsx';
import { coveredInWords, placeInWords } from '../../words/waiver-words.ts';
import { changedByWaivers } from './new/new-waiver-form.tsx';

/** Ends a waiver now, after a question. Nothing for users who may not, and for an ended one. */
export function EndWaiver({ waiver }: { readonly waiver: Waiver }) {
  const isOperator = useMay('operator');
  const end = useChange(() => api.delete('/waivers/{id}', { params: { id: waiver.id } }), changedByWaivers);
  if (!isOperator || waiver.ended_at !== null) return null;
  const what = coveredInWords(waiver);
  return (
    <ConfirmButton
      button="End"
      look="quiet"
      label={`End the waiver of ${what}`}
      title="End this waiver now?"
      confirm="End the waiver"
      onConfirm={() => end.mutateAsync()}
      done="The waiver has ended."
    >
      <p>
        What it covers ({what} on {placeInWords(waiver)}) is open again within seconds. The waiver stays in
        this list.
      </p>
    </ConfirmButton>
  );
}
