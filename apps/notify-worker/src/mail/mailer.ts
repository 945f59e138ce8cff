import { createTransport } from 'nodemailer';
import { headerText } from './header-text.ts';
import { mailFailure, statusOf } from './mail-failure.ts';
import type { MailSettings } from './mail-settings.ts';

/** An e-mail. */
export interface Mail {
  /** Becomes the Message-ID, so that receivers recognise a repetition. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: string | Buffer;
  }[];
}

/** What the server said. `accepted` means that it took the message for at least one recipient. */
export type MailResult =
  | { readonly kind: 'accepted'; readonly status: number | null; readonly refused: readonly string[] }
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string };

/** Sends e-mail. */
export interface Mailer {
  /** Sends one e-mail to all recipients, within half a minute. Never rejects. */
  send(mail: Mail): Promise<MailResult>;
}

/** Milliseconds for connecting, for the greeting, and of silence afterwards. */
const waitMs = 10_000;
/** Milliseconds for a whole e-mail. */
export const mailLimitMs = 30_000;

/** Opens one connection per e-mail. */
export function createMailer(settings: MailSettings): Mailer {
  const { host, port, security, user, password, from, authorities } = settings;
  const domain = from.split('@').at(-1) ?? host;
  return {
    async send({ id, to, subject, text, html, attachments = [] }) {
      const transport = createTransport({
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
        ...(authorities === null ? {} : { tls: { ca: [authorities] } }),
        connectionTimeout: waitMs,
        greetingTimeout: waitMs,
        socketTimeout: waitMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const late = new Promise<never>((_resolve, reject) => {
        setTimeout(
          () => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })),
          mailLimitMs,
        ).unref();
      });
      try {
        const sent = transport.sendMail({
          from: { name: 'Plimsoll', address: from },
          to: to.map((address) => ({ name: '', address })),
          subject: headerText(subject),
          text,
          html,
          messageId: `<${id}@${domain}>`,
          // Keeps out-of-office replies away (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          attachments: attachments.map((attachment) => ({ ...attachment })),
        });
        sent.catch(() => undefined);
        const { response, rejected } = await Promise.race([sent, late]);
        const refused = rejected.map(String);
        return { kind: 'accepted', status: statusOf(response), refused };
      } catch (error) {
        return { kind: 'failed', ...mailFailure(error, settings) };
      } finally {
        transport.close();
      }
    },
  };
}
