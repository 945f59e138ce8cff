import type { Ledger, SentUpload } from '../ledger/ledger.ts';
import { isAccepted } from '../ledger/ledger.ts';
import type { EnrolledMember } from './enrol-fleet.ts';
import type { PreparedReport } from './prepare-report.ts';
import type { ServiceAnswer, ServiceClient } from './service-client.ts';

/** A report to send, and its place in the ledger. */
export interface ReportToSend {
  readonly member: EnrolledMember;
  readonly round: number;
  readonly report: PreparedReport;
}

/** Sends reports as agents do. */
export interface Sender {
  /**
   * Sends a report until the service accepts it: after 429, 503 or no answer again after the wanted time, like an
   * agent. Notes every attempt. Returns the last one.
   */
  send(report: ReportToSend): Promise<SentUpload>;
}

const mostAttempts = 10;
const longestPauseMs = 60_000;

/** A sender that writes into a ledger and tries a report at most `attempts` times. */
export function createSender(client: ServiceClient, ledger: Ledger, attempts = mostAttempts): Sender {
  const reports = new Map<number, number>();
  return {
    async send({ member, round, report }) {
      const number = (reports.get(member.host) ?? 0) + 1;
      reports.set(member.host, number);
      for (let attempt = 1; ; attempt += 1) {
        const sentAt = new Date().toISOString();
        const startedAt = performance.now();
        const answer = await post(client, member, report);
        const sent: SentUpload = {
          hostId: member.hostId,
          host: member.host,
          round,
          report: number,
          sentAt,
          sha256: report.sha256,
          ...readAnswer(answer),
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
        };
        ledger.note(sent);
        if (isAccepted(sent) || attempt === attempts || !isTemporary(sent.status)) return sent;
        await pause(Math.min((answer.retryAfter ?? 1) * 1_000, longestPauseMs));
      }
    },
  };
}

function post(
  client: ServiceClient,
  { token }: EnrolledMember,
  { gzip }: PreparedReport,
): Promise<ServiceAnswer> {
  return client.send({
    method: 'POST',
    path: '/agent/snapshots',
    token,
    headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' },
    body: gzip,
  });
}

function readAnswer({ status, body }: ServiceAnswer): Pick<SentUpload, 'status' | 'answer' | 'uploadId'> {
  const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
  const textOf = (name: string) => {
    const value: unknown = fields.get(name);
    return typeof value === 'string' ? value : null;
  };
  const uploadId = textOf('snapshot_id');
  const reason = textOf('code') ?? (typeof body === 'string' ? body.slice(0, 200) : '');
  return { status, answer: textOf('status') ?? reason, uploadId: status === 202 ? uploadId : null };
}

function isTemporary(status: number): boolean {
  return status === 0 || status === 429 || status === 502 || status === 503;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
