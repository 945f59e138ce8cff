import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase, pingDatabase } from '@plimsoll/db';
import { createEvidenceSecrets } from '../evidence/evidence-secrets.ts';
import { keepReachCounted } from '../operations/advisories/keep-reach-counted.ts';
import type {
  FromReader,
  MemoryQuestion,
  MemoryQuestions,
  ReaderSettings,
  ToReader,
} from '../reads/read-messages.ts';
import { createStores } from '../stores.ts';
import { carryOut, failureOf } from './carry-out.ts';

const port = parentPort;
if (port === null) throw new Error('this file is run as a thread');
// Only Reader starts this file.
const settings = workerData as ReaderSettings;
const send = (message: FromReader, moved: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...moved]);
const warn = (error: unknown, message: string): void => {
  send({ kind: 'warning', message, stack: error instanceof Error ? (error.stack ?? '') : String(error) });
};

const database = openDatabase({
  ...settings,
  applicationName: 'plimsoll api reads',
  onIdleError: (error) => warn(error, 'database connection lost'),
});
const stores = createStores(database);
const evidenceSecrets = createEvidenceSecrets(stores.evidenceKeys, settings.tokenSecrets);
const stopping = new AbortController();
const log = { warn: ({ err }: { readonly err: unknown }, message: string) => warn(err, message) };
const kept = keepReachCounted(stores.advisoryViews, log, stopping.signal);
const running = new Map<number, ReturnType<typeof carryOut>>();

function answerOf(question: MemoryQuestion): Promise<MemoryQuestions[MemoryQuestion['kind']]['told']> {
  switch (question.kind) {
    case 'ping':
      return pingDatabase(database).then(() => null);
    case 'summarise':
      return stores.fleet.summarise(question.scope);
    case 'select':
      return stores.hosts.select(question.scope, question.filters, question.most);
    default:
      return question satisfies never;
  }
}

port.on('message', async (message: ToReader) => {
  switch (message.kind) {
    case 'read': {
      const work = carryOut(message.read, message.question, { stores, evidenceSecrets, send });
      running.set(message.read, work);
      await work.over;
      running.delete(message.read);
      return;
    }
    case 'ask': {
      const { read, question } = message;
      try {
        send({ kind: 'told', read, answer: await answerOf(question) });
      } catch (error) {
        send({ kind: 'failed', read, failure: failureOf(error) });
      }
      return;
    }
    case 'more':
      running.get(message.read)?.more();
      return;
    case 'gone':
      running.get(message.read)?.gone();
      return;
    case 'stop':
      stopping.abort();
      await kept;
      await database.close();
      port.close();
      return;
    default:
      message satisfies never;
  }
});
