import { type Change, type ChangeListener, type Database, listenForChanges } from '@plimsoll/db';
import type { Logger } from '@plimsoll/observability';

const listeningLimitMs = 3_000;

/** A connection to the database that is begun when somebody wants it. */
export interface Listening {
  /** Listens from the first call on; resolves to whether it does, after three seconds at most. */
  start(): Promise<boolean>;
  close(): Promise<void>;
}

/** A listener that is begun when somebody wants it. `onBack` is called when the connection was lost and is there again. */
export function createListening(
  database: Database,
  logger: Logger,
  { onChange, onBack }: { readonly onChange: (change: Change) => void; readonly onBack: () => void },
): Listening {
  let listener: ChangeListener | null = null;
  let wasListening = false;
  let isListening = false;
  let waiting: (() => void)[] = [];
  const begin = () =>
    listenForChanges(database, {
      onChange,
      onListening() {
        isListening = true;
        for (const resolve of waiting) resolve();
        waiting = [];
        if (wasListening) onBack();
        wasListening = true;
      },
      onLost(error) {
        isListening = false;
        logger.warn({ err: error }, 'changes not heard');
      },
    });
  return {
    async start() {
      listener ??= begin();
      if (isListening) return true;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setTimeout(resolve, listeningLimitMs).unref();
      });
      return isListening;
    },
    async close() {
      await listener?.close();
    },
  };
}
