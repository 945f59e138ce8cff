import { type Change, type ChangeListener, type Database, listenForChanges } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';

const listeningLimitMs = 3_000;

/** A database connection that starts on demand. */
export interface Listening {
  /** Listens from the first call on; resolves after at most three seconds to whether it listens. */
  start(): Promise<boolean>;
  close(): Promise<void>;
}

/** A listener that starts on demand. `onBack` is called when a lost connection is restored. */
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
