export { type Certificate, type CertificateFiles, readCertificate } from './certificate.ts';
export { TlsError } from './tls-error.ts';
export { type CertificateWatch, watchCertificate } from './watch-certificate.ts';
