import { type Release, versionSchemes } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import { distributionOf } from '../registry.ts';

/**
 * The relation of an offered version to the installed one. `new`: replaces nothing installed. `same`: no change.
 * `unknown`: the two cannot be compared; it counts as an update, because it may be one.
 */
export type OfferChange = 'new' | 'upgrade' | 'same' | 'downgrade' | 'unknown';

/** Answers kept for versions that many hosts have; the longest texts of one. */
const keptAnswers = 20_000;
const longestKept = 200;

const answers = new Map<string, OfferChange>();

/**
 * Compares an offered version with the installed one by the rules of the release. A missing epoch is 0. If no
 * distribution has the release, returns the answer on which all schemes agree, else `unknown`.
 */
export function changeOf(installed: string, candidate: string, release: Release): OfferChange {
  if (installed === '') return 'new';
  if (installed === candidate) return 'same';
  if (installed.length + candidate.length > longestKept) return compare(installed, candidate, release);
  const key = `${release}\0${installed}\0${candidate}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  if (answers.size >= keptAnswers) answers.clear();
  const answer = compare(installed, candidate, release);
  answers.set(key, answer);
  return answer;
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
