import type { Fix } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { unreadableFix } from '../../feeds/advisories/advisory-feed.ts';
import { lineOf } from '../../rpm/own-line.ts';
import type { ComponentStatement } from './place-component.ts';

interface Build {
  readonly component: ComponentStatement;
  readonly evr: string;
  readonly key: Uint8Array;
}

/** The fix of one line of builds, with its component. */
export interface LineFix {
  readonly fix: Fix;
  readonly component: ComponentStatement;
}

/**
 * The fixed builds of one package by line; the main line has the key "". Within the line of a minor release
 * the lowest counts: every later build of the line has the fix. The main line often gets a fix once per minor
 * release: then the highest build counts for the main line, and each other one for the line in its own dist
 * tag, so that a build of that minor release is compared with it. A build for subscribers counts only if no
 * other exists. A line of which no version can be read has a fix that is not known.
 */
export function fixesByLine(components: readonly ComponentStatement[]): ReadonlyMap<string, LineFix> {
  const fixes = new Map(readableFixes(components));
  for (const component of components) {
    const line = component.place.line ?? '';
    if (component.evr === null && !fixes.has(line)) fixes.set(line, { component, fix: unreadableFix });
  }
  return fixes;
}

function readableFixes(components: readonly ComponentStatement[]): ReadonlyMap<string, LineFix> {
  const builds = components.flatMap((component) => buildOf(component) ?? []);
  const ofMinors = builds.filter(({ component }) => component.place.line !== null);
  const ofMain = builds.filter(({ component }) => component.place.line === null);
  const free = ofMain.filter(({ component }) => component.place.service === null);
  const main = (free.length > 0 ? free : ofMain)
    .filter((build) => apartLine(build) === '')
    .sort(compareBuilds);
  const fixes = new Map<string, LineFix>();
  const add = (line: string, build: Build) => {
    if (!fixes.has(line)) fixes.set(line, fixOf(build));
  };
  for (const build of [...ofMinors].sort(compareBuilds))
    add(apartLine(build) || (build.component.place.line ?? ''), build);
  for (const build of ofMain.filter((each) => apartLine(each) !== '').sort(compareBuilds))
    add(apartLine(build), build);
  const highest = main.at(-1);
  if (highest === undefined) return fixes;
  fixes.set('', fixOf(highest));
  for (const build of main) {
    const line = lineOf(build.component.name, build.evr, { minor: true, kernels: 'one' });
    if (line !== '' && compareBuilds(build, highest) < 0) add(line, build);
  }
  return fixes;
}

function buildOf(component: ComponentStatement): Build | null {
  const { evr } = component;
  if (evr === null) return null;
  const parsed = versionKey('rpm', evr);
  return parsed.kind === 'key' ? { component, evr, key: parsed.key } : null;
}

/** `fips` and other lines whose versions compare only within the line; else empty. */
function apartLine({ evr }: Build): string {
  return lineOf('', evr, { minor: false, kernels: 'one' });
}

function fixOf({ component, evr }: Build): LineFix {
  return { component, fix: { kind: 'fixed', version: evr, service: component.place.service } };
}

function compareBuilds(one: Build, other: Build): number {
  return compareKeys(one.key, other.key);
}
