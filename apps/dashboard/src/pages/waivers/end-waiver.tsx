import type { Waiver } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { toast } from '../../design/toasts.tsx';
import { coveredInWords, placeInWords } from '../../words/waiver-words.ts';
import { changedByWaivers } from './new/new-waiver-form.tsx';

/** Ends a waiver now, after a question. Nothing for users who may not, and for an ended one. */
export function EndWaiver({ waiver }: { readonly waiver: Waiver }) {
  const isOperator = useMay('operator');
  const [isAsking, setIsAsking] = useState(false);
  const end = useChange(() => api.delete('/waivers/{id}', { params: { id: waiver.id } }), changedByWaivers);
  if (!isOperator || waiver.ended_at !== null) return null;
  const what = coveredInWords(waiver);
  return (
    <>
      <Button look="quiet" onPress={() => setIsAsking(true)} aria-label={`End the waiver of ${what}`}>
        End
      </Button>
      <Confirm
        title="End this waiver now?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="End the waiver"
        onConfirm={async () => {
          await end.mutateAsync();
          toast.done('The waiver has ended.');
        }}
      >
        <p>
          What it covers ({what} on {placeInWords(waiver)}) is open again within seconds. The waiver stays in
          this list.
        </p>
      </Confirm>
    </>
  );
}
