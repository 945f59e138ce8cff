import type { FaultSwitch } from './fault.ts';

/** The form of a fault on the command line. */
export const faultUsage =
  'PART=KIND[:NUMBER], with PART a part of a public address and KIND 403, 404, 429[:SECONDS], 500, 503, login-page, ' +
  'slow:BYTES-PER-SECOND, cut-off:BYTES, changed:BYTES, wrong-length:BYTES, moved:URL or expired-certificate';

/** Reads a fault from the command line; null for any other text. */
export function readFault(text: string): FaultSwitch | null {
  const [, part = '', kind = '', argument] = /^(.+)=([a-z0-9-]+)(?::(.+))?$/.exec(text) ?? [];
  const number = argument !== undefined && /^-?\d{1,12}$/.test(argument) ? Number(argument) : null;
  if (/^(403|404|410|429|500|503)$/.test(kind)) {
    const retryAfter = argument === undefined ? {} : { retryAfter: argument };
    return { part, fault: { kind: 'status', status: Number(kind), ...retryAfter } };
  }
  if (kind === 'login-page') return { part, fault: { kind: 'login_page' } };
  if (kind === 'expired-certificate') return { part, fault: { kind: 'expired_certificate' } };
  if (kind === 'moved' && argument !== undefined && URL.canParse(argument))
    return { part, fault: { kind: 'moved', to: argument } };
  if (number === null) return null;
  if (kind === 'slow' && number > 0) return { part, fault: { kind: 'slow', bytesPerSecond: number } };
  if (kind === 'wrong-length') return { part, fault: { kind: 'wrong_length', by: number } };
  if (number < 0) return null;
  if (kind === 'cut-off') return { part, fault: { kind: 'cut_off', afterBytes: number } };
  if (kind === 'changed')
    return {
      part,
      fault: { kind: 'changed', afterBytes: number, content: Buffer.from('changed') },
      times: 1,
    };
  return null;
}
