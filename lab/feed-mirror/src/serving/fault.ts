/** A fault of an answer. */
export type Fault =
  /** A status without a file: 403, 404, 410, 429, 500, 503; `retryAfter` is that header. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** The page of a captive portal or of a proxy's login, with status 200. */
  | { readonly kind: 'login_page' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The connection breaks after this many bytes of the answer. */
  | { readonly kind: 'cut_off'; readonly afterBytes: number }
  /** The connection breaks after this many bytes, and the file then has other content. */
  | { readonly kind: 'changed'; readonly afterBytes: number; readonly content: Buffer }
  /** Content-Length exceeds the answer's length by this many bytes; negative: it is too small. */
  | { readonly kind: 'wrong_length'; readonly by: number }
  /** 301 to another address. */
  | { readonly kind: 'moved'; readonly to: string }
  /** The certificate of the host has expired. */
  | { readonly kind: 'expired_certificate' };

/** A fault of all files whose public address contains a text. */
export interface FaultSwitch {
  readonly part: string;
  readonly fault: Fault;
  /** The number of faulty answers. Default: all. */
  readonly times?: number;
}

/** The faults that are switched on. */
export class Faults {
  private switches: { readonly part: string; readonly fault: Fault; left: number }[] = [];

  /** Adds a fault; the first of several matching ones applies. */
  add({ part, fault, times = Number.POSITIVE_INFINITY }: FaultSwitch): void {
    this.switches.push({ part, fault, left: times });
  }

  clear(): void {
    this.switches = [];
  }

  /** The fault of an answer to a public address, which counts as one of its times; null without one. */
  take(url: string): Fault | null {
    const found = this.switches.find(
      ({ part, fault, left }) => left > 0 && fault.kind !== 'expired_certificate' && url.includes(part),
    );
    if (found === undefined) return null;
    found.left--;
    return found.fault;
  }

  /** Whether the certificate of a host has expired. */
  hasExpired(host: string): boolean {
    return this.switches.some(
      ({ part, fault }) => fault.kind === 'expired_certificate' && `https://${host}/`.includes(part),
    );
  }
}
