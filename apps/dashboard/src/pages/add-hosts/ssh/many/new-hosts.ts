/** A host as a file has it: text that the server still checks. */
export interface NewHostRow {
  /** The line of the file. */
  readonly line: number;
  readonly display_name: string;
  readonly hostname: string;
  /** Empty: that of the form. */
  readonly ssh_user: string;
  /** Empty: 22. */
  readonly port: string;
  readonly tags: readonly string[];
  readonly host_key_fingerprint: string;
  /** Why it cannot be added as it is. */
  readonly faults: readonly string[];
  /** What the file asks for and Plimsoll does not do. */
  readonly notes: readonly string[];
}

/** The hosts of a file, and faults that concern no host. */
export interface ReadHosts {
  readonly rows: readonly NewHostRow[];
  readonly faults: readonly string[];
}

/** What the form adds to rows that do not say it. */
export interface RowDefaults {
  readonly ssh_user: string;
  readonly tags: readonly string[];
  readonly frequency_minutes: number;
  /** Null: not stated. */
  readonly exposure: 'public' | 'internal' | null;
}

/** A row as the request has it. A port that is no number becomes 0, which the server refuses. */
export function requestOf(row: NewHostRow, defaults: RowDefaults) {
  return {
    display_name: row.display_name === '' ? row.hostname : row.display_name,
    hostname: row.hostname,
    ssh_user: row.ssh_user === '' ? defaults.ssh_user : row.ssh_user,
    port: row.port === '' ? 22 : /^\d{1,5}$/.test(row.port) ? Number(row.port) : 0,
    tags: [...new Set([...row.tags, ...defaults.tags])],
    frequency_minutes: defaults.frequency_minutes,
    exposure: defaults.exposure,
    ...(row.host_key_fingerprint !== '' && { host_key_fingerprint: row.host_key_fingerprint }),
  };
}
