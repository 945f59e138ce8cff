import type { CvssScore } from '@plimsoll/model';
import * as library from 'ae-cvss-calculator';

// The package is marked as a transpiled ES module but does not expose its names to Node's ES loader: there they are
// properties of `default`, in CommonJS of the module.
const { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } = (
  'default' in library ? library.default : library
) as typeof library; // Both forms contain the same classes.

interface Grammar {
  readonly prefix: string;
  /** Base metrics in the order of the specification, each with its one-letter values. */
  readonly base: readonly (readonly [metric: string, values: string])[];
  readonly scoreOf: (vector: string) => number | undefined;
}

const base3: Grammar['base'] = [
  ['AV', 'NALP'],
  ['AC', 'LH'],
  ['PR', 'NLH'],
  ['UI', 'NR'],
  ['S', 'UC'],
  ['C', 'HLN'],
  ['I', 'HLN'],
  ['A', 'HLN'],
];

const grammars: readonly Grammar[] = [
  {
    prefix: 'CVSS:4.0/',
    base: [
      ['AV', 'NALP'],
      ['AC', 'LH'],
      ['AT', 'NP'],
      ['PR', 'NLH'],
      ['UI', 'NPA'],
      ['VC', 'HLN'],
      ['VI', 'HLN'],
      ['VA', 'HLN'],
      ['SC', 'HLN'],
      ['SI', 'HLN'],
      ['SA', 'HLN'],
    ],
    scoreOf: (vector) => new Cvss4P0(vector).calculateScores().base,
  },
  { prefix: 'CVSS:3.1/', base: base3, scoreOf: (vector) => new Cvss3P1(vector).calculateScores().base },
  { prefix: 'CVSS:3.0/', base: base3, scoreOf: (vector) => new Cvss3P0(vector).calculateScores().base },
  {
    prefix: '',
    base: [
      ['AV', 'LAN'],
      ['AC', 'HML'],
      ['Au', 'MSN'],
      ['C', 'NPC'],
      ['I', 'NPC'],
      ['A', 'NPC'],
    ],
    scoreOf: (vector) => new Cvss2(vector).calculateScores().base,
  },
];

const maxVectorCharacters = 300;

/** Cache of scores by base vector: 23,446 records of Debian's feed share 688 vectors. */
const known = new Map<string, number>();
const maxKnown = 10_000;

/**
 * Base score of a CVSS vector of version 2.0, 3.0, 3.1 or 4.0. Ignores temporal, threat and environmental metrics and
 * removes them from the vector. Null for an invalid vector: a base metric is missing, repeated or has an unknown
 * value.
 */
export function scoreVector(text: string): CvssScore | null {
  if (text.length > maxVectorCharacters) return null;
  const grammar = grammars.find(({ prefix }) => text.startsWith(prefix));
  if (grammar === undefined) return null;
  const vector = baseVector(text, grammar);
  if (vector === null) return null;
  const score = known.get(vector) ?? grammar.scoreOf(vector);
  if (score === undefined || !(score >= 0 && score <= 10)) return null;
  if (known.size < maxKnown) known.set(vector, score);
  return { score, vector };
}

function baseVector(text: string, { prefix, base }: Grammar): string | null {
  const stated = new Map<string, string>();
  for (const part of text.slice(prefix.length).split('/')) {
    const colon = part.indexOf(':');
    if (colon < 1 || stated.has(part.slice(0, colon))) return null;
    stated.set(part.slice(0, colon), part.slice(colon + 1));
  }
  const metrics: string[] = [];
  for (const [metric, values] of base) {
    const value = stated.get(metric);
    if (value === undefined || value.length !== 1 || !values.includes(value)) return null;
    metrics.push(`${metric}:${value}`);
  }
  return prefix + metrics.join('/');
}
