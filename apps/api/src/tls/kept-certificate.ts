import type { Config } from '@plimsoll/config';
import type { Logger, Metrics } from '@plimsoll/process';
import { type Certificate, type CertificateFiles, readCertificate, watchCertificate } from '@plimsoll/tls';

/** A certificate is logged as expiring soon from this time before its end. */
const warnBeforeMs = 14 * 24 * 3_600_000;

/** The API's own certificate; it can be replaced while the API runs. */
export interface KeptCertificate {
  current(): Certificate;
  /** Why the files cannot be used now, as a sentence; null if they can. `current` is the last usable pair. */
  failure(): string | null;
  /** `take` is called with each certificate that replaces the current one. */
  onReplaced(take: (certificate: Certificate) => void): void;
  stop(): Promise<void>;
}

/** The dependencies of reading the API's certificate. */
export interface CertificateServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: () => Date;
}

/** The configured certificate files; null: the API serves plain http. */
export function certificateFilesOf(
  config: Pick<Config, 'api.tls_cert_file' | 'api.tls_key_file'>,
): CertificateFiles | null {
  const certFile = config['api.tls_cert_file'];
  const keyFile = config['api.tls_key_file'];
  return certFile === null || keyFile === null ? null : { certFile, keyFile };
}

/**
 * Reads the certificate, and reads it again when its files change or on SIGHUP. Unusable new files are logged and the
 * old certificate stays in use. Throws TlsError if the first files cannot be used.
 */
export async function keepCertificate(
  files: CertificateFiles,
  { log, metrics, clock }: CertificateServices,
): Promise<KeptCertificate> {
  let current = await readCertificate(files);
  let taken: (certificate: Certificate) => void = () => undefined;
  warnOfAge(current, log, clock());
  metrics
    .gauge(
      'plimsoll_tls_certificate_not_after_seconds',
      'When the certificate of the API expires, in seconds since 1970.',
      [],
      (gauge) => gauge.set(current.notAfter.getTime() / 1000),
    )
    .set(current.notAfter.getTime() / 1000);
  const watch = watchCertificate({
    files,
    current,
    onChange(certificate) {
      current = certificate;
      taken(certificate);
      log.info({ notAfter: certificate.notAfter, names: certificate.names }, 'certificate replaced');
      warnOfAge(certificate, log, clock());
    },
    onError: (error) => log.error({ err: error }, 'certificate not replaced'),
  });
  const reload = (): void => void watch.reload();
  process.on('SIGHUP', reload);
  return {
    current: () => current,
    failure: () => watch.failure()?.message ?? null,
    onReplaced(take) {
      taken = take;
    },
    async stop() {
      process.off('SIGHUP', reload);
      await watch.stop();
    },
  };
}

function warnOfAge({ notAfter, notBefore }: Certificate, log: Logger, now: Date): void {
  if (notAfter <= now) log.warn({ notAfter }, 'the certificate has expired: clients refuse it');
  else if (notBefore > now) log.warn({ notBefore }, 'the certificate is not valid yet: clients refuse it');
  else if (notAfter.getTime() - now.getTime() < warnBeforeMs) {
    log.warn({ notAfter }, 'the certificate expires soon');
  }
}
