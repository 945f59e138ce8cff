import { type Release, versionSchemes } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import { distributionOf } from '../registry/distributions.ts';

/**
 * The relation of an offered version to the installed one. `new`: replaces nothing installed. `same`: no change.
 * `unknown`: the two cannot be compared; it counts as an update, because it may be one.
 */
export type OfferChange = 'new' | 'upgrade' | 'same' | 'downgrade' | 'unknown';

/** Answers kept for versions that many hosts have; the longest texts of one. */
const keptAnswers = 20_000;
const longestKept = 200;

/** By release, installed and offered version. */
const answers = new Map<Release, Map<string, Map<string, OfferChange>>>();
let kept = 0;

/**
 * Compares an offered version with the installed one by the rules of the release. A missing epoch is 0. If no
 * distribution has the release, returns the answer on which all schemes agree, else `unknown`.
 */
export function changeOf(installed: string, candidate: string, release: Release): OfferChange {
  if (installed === '') return 'new';
  if (installed === candidate) return 'same';
  if (installed.length + candidate.length > longestKept) return compare(installed, candidate, release);
  const known = answers.get(release)?.get(installed)?.get(candidate);
  if (known !== undefined) return known;
  if (kept >= keptAnswers) {
    answers.clear();
    kept = 0;
  }
  const answer = compare(installed, candidate, release);
  kept += 1;
  const ofRelease = memberOf(answers, release);
  memberOf(ofRelease, installed).set(candidate, answer);
  return answer;
}

/** The map in another one; put there if it is missing. */
function memberOf<Key, Inner, Value>(maps: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const known = maps.get(key) ?? new Map<Inner, Value>();
  maps.set(key, known);
  return known;
}

function compare(installed: string, candidate: string, release: Release): OfferChange {
  const scheme = distributionOf(release)?.scheme;
  if (scheme !== undefined) return changeIn(scheme, installed, candidate);
  const [first = 'unknown', ...others] = versionSchemes.map((each) => changeIn(each, installed, candidate));
  return others.every((other) => other === first) ? first : 'unknown';
}

function changeIn(scheme: VersionScheme, installed: string, candidate: string): OfferChange {
  const from = versionKey(scheme, installed);
  const to = versionKey(scheme, candidate);
  if (from.kind === 'unparseable' || to.kind === 'unparseable') return 'unknown';
  const order = compareKeys(to.key, from.key);
  if (order === 0) return 'same';
  return order > 0 ? 'upgrade' : 'downgrade';
}
