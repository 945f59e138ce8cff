import type { Platform } from '@plimsoll/model';

/** The part of a platform that decides how its distribution numbers the next build. */
export type Numbering = Pick<Platform, 'osId' | 'osVersionId'>;

/**
 * The version of the next build of a package as a security team numbers it: `43-1` becomes `43-1+deb12u1` and then
 * `43-1+deb12u2` in Debian, `9.el8` becomes `9.el8.1`, and other versions get a higher last number. It sorts after the
 * given version.
 */
export function nextBuild(version: string, { osId, osVersionId }: Numbering): string {
  const tag = `+deb${osVersionId}u`;
  if (osId === 'debian' && !version.includes(tag)) return `${version}${tag}1`;
  if (/\.el\d+(_\d+)?$/.test(version)) return `${version}.1`;
  const last = /\d+$/.exec(version)?.[0];
  if (last === undefined) return `${version}.1`;
  return `${version.slice(0, -last.length)}${BigInt(last) + 1n}`;
}
