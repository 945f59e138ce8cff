export { type Certificate, type CertificateFiles, readCertificate } from './certificate.ts';
export { TlsError } from './tls-error.ts';
export {
  type CertificateWatch,
  type CertificateWatchOptions,
  watchCertificate,
} from './watch-certificate.ts';
