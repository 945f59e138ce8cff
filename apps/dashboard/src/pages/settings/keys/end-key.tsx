import type { ApiKey } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';

/** Ends an API key, after a question. */
export function EndKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const [isAsking, setIsAsking] = useState(false);
  const end = useChange(() => api.delete('/api-keys/{id}', { params: { id: apiKey.id } }), ['/api-keys']);
  const proceed = async () => {
    await end.mutateAsync();
    toast.done('The API key has ended.');
  };
  return (
    <>
      <Button
        look="quiet"
        onPress={() => setIsAsking(true)}
        aria-label={`End the key ${printable(apiKey.name, 60)}`}
      >
        End
      </Button>
      <Confirm
        title="End this API key?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="End the key"
        onConfirm={proceed}
      >
        <p>
          Every script that uses{' '}
          <strong>
            <ForeignText text={apiKey.name} oneLine />
          </strong>{' '}
          is refused from now on. It cannot be undone.
        </p>
      </Confirm>
    </>
  );
}
