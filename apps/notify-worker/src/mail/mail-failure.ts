import type { MailSettings } from './mail-settings.ts';

/** The status at the beginning of an answer of SMTP; null without one. */
export function statusOf(answer: unknown): number | null {
  const status = typeof answer === 'string' ? /^\d{3}\b/.exec(answer)?.[0] : undefined;
  return status === undefined ? null : Number(status);
}

/** Why an e-mail was not taken, and what to do, as a sentence. */
export function mailFailure(
  error: unknown,
  { host, port, security, user }: Pick<MailSettings, 'host' | 'port' | 'security' | 'user'>,
): { readonly status: number | null; readonly reason: string } {
  const { code, command, responseCode, response } = fieldsOf(error);
  const status = typeof responseCode === 'number' ? responseCode : statusOf(response);
  return { status, reason: reason() };

  function reason(): string {
    const server = `The mail server ${host}:${port}`;
    if (code === 'EAUTH')
      return user === null
        ? `${server} asks for a user name and password: set mail.user and mail.password.`
        : `${server} does not accept the user name and password: check mail.user and mail.password.`;
    if (typeof code === 'string' && /CERT|SELF_SIGNED|ISSUER|SIGNATURE|^ERR_TLS/.test(code))
      return `The connection to the mail server ${host} cannot be secured (${code}): see mail.ca_file.`;
    if (command === 'STARTTLS' || (code === 'ETLS' && security === 'starttls'))
      return `${server} does not offer encryption by STARTTLS, and nothing is sent without it: check mail.port and mail.security.`;
    if (code === 'EDNS' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return `The name of the mail server ${host} cannot be resolved: check mail.host.`;
    if (code === 'ECONNREFUSED') return `${server} refuses connections: check that it runs, and mail.port.`;
    if (code === 'ETIMEDOUT')
      return `${server} did not answer in time: check the network, mail.host and mail.port.`;
    if (code === 'EENVELOPE')
      return `${server} refused the sender or all recipients${said()}: check mail.from and the addresses of the channel.`;
    if (status !== null) return `${server} refused the message${said()}.`;
    return `The connection to the mail server ${host}:${port} broke off: check its log.`;
  }

  function said(): string {
    const text =
      typeof response === 'string'
        ? response
            .replace(/[\p{C}\s]+/gu, ' ')
            .trim()
            .slice(0, 200)
        : '';
    return text === '' ? '' : ` (“${text}”)`;
  }
}

function fieldsOf(error: unknown): Record<'code' | 'command' | 'responseCode' | 'response', unknown> {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  return {
    // Nodemailer keeps the code of a failed connection apart.
    code: fields['code'] === 'ESOCKET' ? fields['originalCode'] : fields['code'],
    command: fields['command'],
    responseCode: fields['responseCode'],
    response: fields['response'],
  };
}
