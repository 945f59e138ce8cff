import { hostname } from 'node:os';
import type { Config } from '@plimsoll/config';
import { type AuditChainStore, type AuditExportTarget, exportLineOf, type SealedEvent } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import { appendLines } from './append-lines.ts';
import { type SyslogServer, sendSyslog } from './send-syslog.ts';
import { syslogMessage } from './syslog-message.ts';

/** Where the audit log is exported to; null: not there. */
export interface AuditExportSettings {
  readonly file: string | null;
  readonly syslog: Omit<SyslogServer, 'limitMs'> | null;
}

/** Where the configuration exports the audit log to. */
export function auditExportOf(config: Config): AuditExportSettings {
  const url = config['audit.syslog_url'];
  return {
    file: config['audit.export_file'],
    syslog: url === null ? null : { url, caFile: config['audit.syslog_ca_file'] },
  };
}

/** Events of one batch: one connection to the syslog server. */
const eventsPerBatch = 500;
/** Milliseconds for one batch; longer than a server needs, and short enough for an orderly end of the process. */
const batchLimitMs = 10_000;
/** Milliseconds until a target that failed is tried again: the first wait, doubled up to the longest. */
const waits = { firstMs: 4_000, longestMs: 60_000 };

/** Gives all new events their positions and hashes. */
export async function sealAudit(chain: AuditChainStore): Promise<void> {
  while ((await chain.seal(eventsPerBatch)) === eventsPerBatch);
}

/**
 * Exports all events that a target does not have yet. Throws what keeps it from that, and then waits a while: `not due`. The
 * events are kept and sent later.
 */
export interface AuditExport {
  readonly target: AuditExportTarget;
  run(now: Date): Promise<'not due' | 'exported'>;
}

/** One export for each target of the settings. */
export function createAuditExports(
  chain: AuditChainStore,
  { file, syslog }: AuditExportSettings,
  log: Pick<Logger, 'warn' | 'info'>,
): readonly AuditExport[] {
  const sender = { hostname: hostname(), processId: process.pid };
  const toFile = (events: readonly SealedEvent[]) => appendLines(file ?? '', events.map(exportLineOf));
  const toSyslog = (events: readonly SealedEvent[]) =>
    sendSyslog(
      events.map((event) => syslogMessage(exportLineOf(event), event.at, sender)),
      { url: syslog?.url ?? '', caFile: syslog?.caFile ?? null, limitMs: batchLimitMs },
    );
  return [
    ...(file === null ? [] : [patiently('file', toFile)]),
    ...(syslog === null ? [] : [patiently('syslog', toSyslog)]),
  ];

  function patiently(
    target: AuditExportTarget,
    send: (events: readonly SealedEvent[]) => Promise<void>,
  ): AuditExport {
    let waitMs = 0;
    let failedAt = 0;
    return {
      target,
      async run(now) {
        // Not if the clock was set back since.
        const passedMs = now.getTime() - failedAt;
        if (passedMs >= 0 && passedMs < waitMs) return 'not due';
        try {
          await exportAll(chain, target, send, log);
          if (waitMs > 0) log.info({ target }, 'audit events are exported again');
          waitMs = 0;
          return 'exported';
        } catch (error) {
          waitMs = Math.min(Math.max(waits.firstMs, 2 * waitMs), waits.longestMs);
          failedAt = now.getTime();
          throw error;
        }
      },
    };
  }
}

async function exportAll(
  chain: AuditChainStore,
  target: AuditExportTarget,
  send: (events: readonly SealedEvent[]) => Promise<void>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  let sent: number;
  do {
    sent = await chain.exportNext(target, eventsPerBatch, async ({ events, missed }) => {
      await send(events);
      // Before its first export a target misses nothing that it ever had.
      const isFirst = (events[0]?.position ?? 0) === missed + 1;
      if (missed > 0 && !isFirst)
        log.warn({ target, events: missed }, 'retention dropped audit events before they were exported');
    });
  } while (sent === eventsPerBatch);
}
