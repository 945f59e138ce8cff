import {
  choice,
  domains,
  filePath,
  folder,
  integer,
  listenHost,
  mailAddress,
  networks,
  plainText,
  secretText,
  words,
} from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings of notifications, and of the mail server for them. */
export const notificationSettings = {
  'notifications.allowed_networks': preset(
    networks(),
    [],
    'Private, loopback and link-local networks in which channels may be. Without an entry, only public addresses are ' +
      'connected to. The mail server is exempt.',
  ),
  'notifications.proxied_names': preset(
    words(),
    ['hooks.slack.com', 'discord.com', 'ntfy.sh', 'webhook.office.com', 'api.powerplatform.com'],
    'With a proxy: servers of channels, with all below them, that the proxy gets by name and alone resolves. Any other ' +
      'channel is resolved and checked by this service, and the proxy gets the address.',
  ),
  'notifications.mail_domains': preset(
    domains({ wildcards: true }),
    [],
    'Domains to which e-mail may go: `example.org` is that domain alone, `*.example.org` all below it but not itself. ' +
      'Empty: any. Checked when a channel or report is saved and whenever something is sent. The same for the API and the ' +
      'notify-worker.',
  ),
  'notifications.keys_dir': optional(
    folder(),
    'Where the notify-worker keeps the key that opens the secrets of channels; it makes one in an empty folder. All ' +
      'notify-workers of an installation need the same. Unset: `secrets/notifications` in `data_dir`.',
  ),
  'mail.host': optional(listenHost(), 'The mail server for notifications. Unset: no e-mail can be sent.'),
  'mail.port': preset(integer(1, 65_535), 587, 'Its port.'),
  'mail.security': preset(
    choice(['starttls', 'tls', 'none']),
    'starttls',
    '`starttls`: a connection that the server cannot encrypt is given up. `tls`: encrypted from its first byte, usually ' +
      'on port 465. `none`: unencrypted, for a server on this machine.',
  ),
  'mail.user': optional(plainText(320), 'The user name for the mail server. Unset: none is sent.'),
  'mail.password': optional(secretText(1), 'The password for it.', { secret: true }),
  'mail.from': optional(
    mailAddress(),
    'The sender of messages, for instance `plimsoll@example.org`. Required for e-mail.',
  ),
  'mail.ca_file': optional(
    filePath(),
    "PEM certificates of the authorities that may sign the mail server's certificate. Unset: the public ones.",
  ),
} as const;
