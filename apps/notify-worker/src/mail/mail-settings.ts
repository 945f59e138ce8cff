/** The mail server and the sender. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** `starttls`: nothing is sent over a connection that the server cannot encrypt. */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly user: string | null;
  readonly password: string | null;
  readonly from: string;
  /** PEM certificates of the only authorities that count; null: the public ones. */
  readonly authorities: string | null;
}
