/** The fields of a syslog message that do not depend on the event. */
export interface SyslogSender {
  /** The name of this machine. */
  readonly hostname: string;
  readonly processId: number;
}

/** Facility 13 (log audit), severity 5 (notice): RFC 5424, section 6.2.1. */
const priority = 13 * 8 + 5;

/** A syslog message of RFC 5424 without framing: UTF-8 after a byte order mark, as section 6.4 requires. */
export function syslogMessage(text: string, at: Date, { hostname, processId }: SyslogSender): Buffer {
  // Fields are printable ASCII without spaces; a missing one is "-".
  const host = hostname.replace(/[^!-~]/g, '').slice(0, 255) || '-';
  const header = `<${priority}>1 ${at.toISOString()} ${host} plimsoll ${processId} audit - `;
  return Buffer.concat([Buffer.from(header), Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
}

/** A message in a stream: its length in bytes before it, so that it may contain anything (RFC 6587, section 3.4.1). */
export function framed(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
