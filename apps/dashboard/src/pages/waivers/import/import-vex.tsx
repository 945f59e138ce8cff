import type { VexImport } from '@plimsoll/contract';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { messageOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Select, TextField } from '../../../design/form/fields.tsx';
import { FileDrop } from '../../../design/form/file-drop.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Notice } from '../../../design/notice.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import { EndField, endOfDay } from '../end-field.tsx';
import { changedByWaivers } from '../new/new-waiver-form.tsx';
import styles from '../waivers.module.css';
import { ImportPreview } from './import-preview.tsx';

/** Imports a VEX document as waivers, after a preview. Nothing for users who may not. */
export function ImportVex() {
  const isOperator = useMay('operator');
  const [isOpen, setIsOpen] = useState(false);
  if (!isOperator) return null;
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>
        <FileUp aria-hidden /> Import VEX…
      </Button>
      <Dialog title="Import a VEX document" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <ImportSteps onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

type Document = Record<string, unknown>;
type Place = { readonly all_hosts: 'true' } | { readonly tag: string[] };

interface Checked {
  readonly result: VexImport;
  readonly query: Place & { readonly expires_at: string };
}

/** The largest file; the server checks it. */
const mostBytes = 8 * 1024 * 1024;

async function readDocument(file: File): Promise<Document> {
  if (file.size > mostBytes) throw new Error('The file is larger than 8 MiB.');
  try {
    const parsed: unknown = JSON.parse(await file.text());
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Document; // an object
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Error('The file is not a JSON object. OpenVEX, CycloneDX and CSAF documents are.');
}

function ImportSteps({ onDone }: { readonly onDone: () => void }) {
  const own = useSession()?.user.tags ?? null;
  const [file, setFile] = useState<{ readonly name: string; readonly body: Document } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [where, setWhere] = useState<'all' | 'tags'>(own === null ? 'all' : 'tags');
  const [checked, setChecked] = useState<Checked | null>(null);
  const take = (taken: File) =>
    readDocument(taken).then(
      (body) => {
        setFailure(null);
        setFile({ name: taken.name, body });
      },
      (error: unknown) => setFailure(error),
    );
  const check = async (values: FormData) => {
    const word = (name: string) => String(values.get(name) ?? '').trim();
    const place: Place = where === 'all' ? { all_hosts: 'true' } : { tag: tagsIn(word('tag')) };
    const query = { ...place, expires_at: endOfDay(word('expires_at')) };
    const result = await api.post('/waivers/import', {
      body: file?.body ?? {},
      query: { ...query, check_only: 'true' },
    });
    setChecked({ result, query });
  };
  const create = useChange(
    ({ query }: Checked) => api.post('/waivers/import', { body: file?.body ?? {}, query }),
    changedByWaivers,
  );
  if (file === null)
    return (
      <div className={styles['stack']}>
        <p>
          Statements that packages are not affected become waivers: OpenVEX, CycloneDX or CSAF. You see what
          would be created before it is, and every statement that is left out with its reason.
        </p>
        {failure !== null && (
          <Notice tone="critical">{failure instanceof Error ? failure.message : messageOf(failure)}</Notice>
        )}
        <FileDrop label="Drop the document here" onFile={(taken) => void take(taken)} />
      </div>
    );
  if (checked !== null)
    return (
      <ImportPreview
        result={checked.result}
        onBack={() => setChecked(null)}
        onCreate={async () => {
          const made = await create.mutateAsync(checked);
          toast.done(
            `${made.waivers.length === 1 ? '1 waiver is' : `${made.waivers.length} waivers are`} created.`,
          );
          onDone();
        }}
      />
    );
  return (
    <div className={styles['stack']}>
      <p>{printable(file.name, 80)}</p>
      <Form submit="Check" onSubmit={check}>
        <Select
          label="It holds on"
          value={where}
          onChange={setWhere}
          options={[
            ...(own === null ? ([['all', 'All hosts, also those that come later']] as const) : []),
            ['tags', 'Hosts with a tag'] as const,
          ]}
          hint="Statements that name a host of Plimsoll hold on that host alone."
        />
        {where === 'tags' && (
          <TextField
            name="tag"
            label="Tags"
            isRequired
            maxLength={1000}
            defaultValue={own?.join(', ') ?? ''}
            hint="Separated by commas; a host needs one of them."
          />
        )}
        <EndField />
      </Form>
    </div>
  );
}
