import { assessHost } from '../src/index.ts';
import { assessed, type DebianHost, installed, kernelImage, statement } from './debian-host.ts';

const fixedIn123 = statement('CVE-2024-0001', '6.1.123-1', { severity: 'critical' });
/** Statements about the kernel of Debian 12. */
export const fixedIn128 = statement('CVE-2024-0002', '6.1.128-1', { severity: 'important' });
export const unfixed = statement('CVE-2024-0003', null, { severity: 'low' });
/** The statements about the kernel, by the name of its source. */
export const linux = { linux: [fixedIn123, fixedIn128, unfixed] };

/** Two installed kernels, and the package that names the newer one. */
export const older = kernelImage('6.1.0-28-amd64', '6.1.119-1');
export const newer = kernelImage('6.1.0-29-amd64', '6.1.123-1');
export const metapackage = installed('linux-image-amd64', '6.1.123-1', {
  name: 'linux-signed-amd64',
  version: '6.1.123+1',
});

/** Assesses a host with these statements. */
export function assess(host: DebianHost) {
  return assessHost(assessed({ statements: linux, ...host }));
}

/** Advisory ids with their states, for the finding of one package. */
export function states(host: DebianHost, name: string) {
  const finding = assess(host).findings.find((row) => row.name === name);
  return finding?.advisories.map((advisory) => `${advisory.statement.externalId} ${advisory.fixState}`);
}
