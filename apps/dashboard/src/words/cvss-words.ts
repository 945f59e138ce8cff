/** A metric of a CVSS vector in words. */
export interface CvssMetric {
  readonly metric: string;
  readonly value: string;
}

type Values = Readonly<Record<string, string>>;
type Metrics = Readonly<Record<string, readonly [metric: string, values: Values]>>;

const impact: Values = { H: 'high: total loss', L: 'low: some loss', N: 'none' };
const attackVector: Values = {
  N: 'network: from the internet or another network',
  A: 'adjacent: only from the same network',
  L: 'local: on the host itself',
  P: 'physical: by touching the device',
};
const privileges: Values = {
  N: 'none: no account needed',
  L: 'low: an ordinary account',
  H: 'high: an administrator account',
};

/** CVSS 3.0 and 3.1, base metrics: https://www.first.org/cvss/v3.1/specification-document */
const version3: Metrics = {
  AV: ['Attack from', attackVector],
  AC: [
    'Difficulty',
    { L: 'low: works every time', H: 'high: needs conditions that an attacker does not control' },
  ],
  PR: ['Privileges needed', privileges],
  UI: ['Action of a user', { N: 'none needed', R: 'required: a user has to take part' }],
  S: ['Scope', { U: 'stays within the vulnerable software', C: 'reaches beyond the vulnerable software' }],
  C: ['Confidentiality', impact],
  I: ['Integrity', impact],
  A: ['Availability', impact],
};

/** CVSS 4.0, base metrics: https://www.first.org/cvss/v4.0/specification-document */
const version4: Metrics = {
  AV: ['Attack from', attackVector],
  AC: ['Difficulty', { L: 'low: no protection to get around', H: 'high: protections have to be got around' }],
  AT: ['Conditions', { N: 'none: works on every deployment', P: 'only in some deployments or moments' }],
  PR: ['Privileges needed', privileges],
  UI: [
    'Action of a user',
    { N: 'none needed', P: 'passive: ordinary use is enough', A: 'active: a user has to do something' },
  ],
  VC: ['Confidentiality of the software', impact],
  VI: ['Integrity of the software', impact],
  VA: ['Availability of the software', impact],
  SC: ['Confidentiality of other systems', impact],
  SI: ['Integrity of other systems', { ...impact, S: 'people can be harmed' }],
  SA: ['Availability of other systems', { ...impact, S: 'people can be harmed' }],
};

const impact2: Values = { C: 'complete loss', P: 'partial loss', N: 'none' };

/** CVSS 2.0, base metrics: https://www.first.org/cvss/v2/guide */
const version2: Metrics = {
  AV: ['Attack from', { N: attackVector['N'] ?? '', A: attackVector['A'] ?? '', L: attackVector['L'] ?? '' }],
  AC: ['Difficulty', { L: 'low', M: 'medium', H: 'high' }],
  Au: ['Sign-in', { N: 'none needed', S: 'once', M: 'several times' }],
  C: ['Confidentiality', impact2],
  I: ['Integrity', impact2],
  A: ['Availability', impact2],
};

/** Longest vector that is read; the longest valid one is shorter. */
const longestVector = 300;

/**
 * The metrics of a CVSS vector in words, in its order; metrics that the tables lack (threat, environment) keep their
 * letters. Empty if the text is not a vector.
 */
export function cvssMetrics(vector: string): readonly CvssMetric[] {
  const text = vector.slice(0, longestVector);
  const metrics = text.startsWith('CVSS:4') ? version4 : text.startsWith('CVSS:3') ? version3 : version2;
  return text
    .split('/')
    .filter((part) => !part.startsWith('CVSS:'))
    .flatMap((part) => {
      const [letters = '', value = ''] = part.split(':');
      if (letters === '' || value === '') return [];
      const [metric, values] = Object.hasOwn(metrics, letters)
        ? (metrics[letters] ?? [letters, {}])
        : [letters, {}];
      return [{ metric, value: Object.hasOwn(values, value) ? (values[value] ?? value) : value }];
    });
}

/** The version of CVSS that a vector is written in: `CVSS 3.1`. */
export function cvssVersion(vector: string): string {
  const version = /^CVSS:(\d\.\d)\//.exec(vector)?.[1];
  return `CVSS ${version ?? '2.0'}`;
}
