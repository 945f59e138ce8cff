import { filePath, url } from '../setting-type.ts';
import { optional } from './setting.ts';

/** Settings of the audit log's export. */
export const auditSettings = {
  'audit.export_file': optional(
    filePath(),
    'A file to which the scheduler appends each event of the audit log within seconds, as one line of JSON with its ' +
      'position and hash. `plimsoll verify-audit --export` compares it with the database. Unset: no file.',
  ),
  'audit.syslog_url': optional(
    url(['udp', 'tcp', 'tls']),
    'A syslog server that gets the same lines as messages of RFC 5424, like `tls://logs.example.org:6514`. Over TCP ' +
      'and TLS nothing is lost while the server is away; over UDP nothing shows whether a message arrives.',
  ),
  'audit.syslog_ca_file': optional(
    filePath(),
    "PEM certificates of the authorities that may sign the syslog server's certificate. Unset: the public ones.",
  ),
} as const;
