import { splitEvr } from '../rpm/evr.ts';

/** `.module+el8.6.0+20623+f0897f98` and what follows it: every distribution builds modules under own numbers. */
const moduleBuild = /\.module[_+]/;
/** Oracle's own number before the dist tag, `60.0.1.el9_2.7`. */
const numberBeforeTag = /\.0\.\d{1,4}(?=\.el\d)/;
const distTag = /\.el\d{1,2}(?:_\d{1,2})?/;
/** The number of a rebuild that changes only the packaging, `.rocky.0.1`, `.alma.1`. */
const rebuildMark = /\.(?:rocky|alma)(?:\.\d{1,4})*/;

/**
 * The parts of two sources' `version-release` that a rebuilt distribution and Red Hat Enterprise Linux have in common:
 * without the dist tag, the module's build and the rebuild's own marks. `60.el9_2.7`, `60.el9_2.7.rocky.0.1` and Oracle's
 * `60.0.1.el9_2.7` give `60.7`. Two builds that differ in a dist tag alone are the same.
 */
export function inCommon({
  rebuilt,
  upstream,
}: {
  readonly rebuilt: string;
  readonly upstream: string;
}): readonly [rebuilt: string, upstream: string] {
  const own = numberBeforeTag.test(upstream) ? rebuilt : rebuilt.replace(numberBeforeTag, '');
  return [withoutTags(own), withoutTags(upstream)];
}

function withoutTags(text: string): string {
  const { version, release } = splitEvr(text);
  const start = release.split(moduleBuild, 1)[0] ?? '';
  const number = start.replace(distTag, '').replace(rebuildMark, '');
  return number === '' ? text : `${version}-${number}`;
}
