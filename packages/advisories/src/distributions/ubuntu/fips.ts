/**
 * The line of FIPS builds, with its own versions and statements: `1.1.1f-1ubuntu2.fips.18` compares only within the
 * line.
 */
export const fipsLine = 'fips';

const fipsVersion = /[.+~]fips\d*(?:[.+~\d]|$)/i;
const fipsKernel = /^linux(?:-[a-z]+)*-fips$/;

/** Whether a package is a FIPS build, by the source version or by the kernel's source name. */
export function isFipsBuild(sourceName: string, sourceVersion: string): boolean {
  return fipsVersion.test(sourceVersion) || fipsKernel.test(sourceName);
}
