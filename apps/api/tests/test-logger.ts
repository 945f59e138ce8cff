import { createLogger, type Logger } from '@plimsoll/process';

/** A logger that keeps its lines. */
export interface TestLogger {
  readonly logger: Logger;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/** A logger without lines yet. */
export function createTestLogger(): TestLogger {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ app: 'api', level: 'debug', stream }), lines };
}
