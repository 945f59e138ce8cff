import type { Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { allFindings, type Evaluation } from '../evaluation.ts';
import { type LabelHost, packageKey } from './label-host.ts';
import type { MatchLabel } from './read-labels.ts';

/** Our answer to one label, and the vendor's current statements that decide it. */
export interface JudgedLabel extends Answer {
  readonly label: MatchLabel;
  /** `NAME VERSION`. */
  readonly package: string;
}

interface Answer {
  /**
   * `hidden`: found, but of no importance according to the vendor; `undecided`: the package has no verdict.
   */
  readonly answer: 'found' | 'hidden' | 'not_found' | 'undecided';
  /** Whether the vendor's data still lists the package as affected, independent of our answer. */
  readonly supported: boolean;
  /** The cause; docs/accuracy.md lists them. */
  readonly cause: string;
}

/** A vendor's statement in data other than the statements that judge a package; null if there is none. */
export type OtherWord = (label: MatchLabel, names: ReadonlySet<string>) => Omit<Answer, 'answer'> | null;

/** Facts about an image besides its packages. */
export interface LabelFacts {
  /** Whether the data has an advisory or a CVE for the release, for any package. */
  readonly namesId: (id: string) => boolean;
  readonly otherWord: OtherWord;
}

/** Judges all labels marked right or wrong. */
export function judgeLabels(
  host: LabelHost,
  evaluation: Evaluation,
  facts: LabelFacts,
): readonly JudgedLabel[] {
  const found = foundIds(evaluation);
  const versions = new Map(
    evaluation.packages.map(({ version }) => [packageKey(version.name, version.version), version]),
  );
  return host.labels.flatMap((label): JudgedLabel[] => {
    if (label.says === 'undecided' || label.package === null) return [];
    const { name, version: built } = label.package;
    const key = packageKey(name, built);
    const version = versions.get(key) ?? versions.get(packageKey(name, built.replace(/^0:/, '')));
    const answer = (): Answer => {
      if (version === undefined) return undecided('the version cannot be read');
      const { verdict } = version;
      if (verdict.kind === 'unknown') return undecided(`no verdict: ${verdict.reason}`);
      if (verdict.kind === 'excluded') {
        return { answer: 'not_found', supported: false, cause: `left out: ${verdict.reason}` };
      }
      const ids = found.get(packageKey(version.name, version.version));
      const words = evaluation
        .explain(version)
        .filter(({ statement }) => isAbout(statement, label))
        .map(({ statement, judgement }) => ({ judgement, says: vendorWord(statement, version.matchKey) }));
      const weights = label.ids.flatMap((id) => ids?.get(id) ?? []);
      if (weights.length > 0) {
        const word = words.find(({ judgement }) => judgement === 'affected')?.says ?? 'affected';
        const answer = weights.includes('visible') ? 'found' : 'hidden';
        return {
          answer,
          supported: true,
          cause: `vendor: ${answer === 'found' ? word : 'of no importance'}`,
        };
      }
      const names = new Set([name, host.sources.get(key) ?? name]);
      return silenceOf(label, words, names, host.sources.has(key), facts);
    };
    return [{ label, package: key, ...answer() }];
  });
}

function undecided(why: string): Answer {
  return { answer: 'undecided', supported: false, cause: why };
}

interface VendorWord {
  readonly judgement: string;
  readonly says: string;
}

/** The reason in the vendor's statements why a label is not reported. */
function silenceOf(
  label: MatchLabel,
  words: readonly VendorWord[],
  names: ReadonlySet<string>,
  isSourceKnown: boolean,
  { namesId, otherWord }: LabelFacts,
): Answer {
  const not = (why: string): Answer => ({ answer: 'not_found', supported: false, cause: why });
  const of = (...judgements: readonly string[]) =>
    words.filter(({ judgement }) => judgements.includes(judgement));
  if (of('fixed').length > 0) return not('vendor: fixed in the installed version');
  const open = of('refined', 'folded', 'overridden', 'affected').find(({ says }) => says !== 'fixed');
  if (open !== undefined) return { ...not(`we: ${open.judgement}`), supported: true };
  const other = otherWord(label, names);
  if (other !== null) return { answer: 'not_found', ...other };
  if (of('other_build').length > 0) return not('vendor: speaks of another stream, line or architecture');
  if (of('withdrawn').length > 0) return not('vendor: withdrew it');
  if (!isSourceKnown) return undecided('the label omits the source package, and no recorded host has it');
  return label.ids.some(namesId)
    ? not('vendor: names the CVE for other packages only')
    : not('vendor: does not name the CVE for the release');
}

function vendorWord({ fix }: Statement, installed: Uint8Array | null): string {
  if (fix.kind === 'unfixed') return `unfixed (${fix.reason})`;
  return installed !== null && compareKeys(installed, fix.key) >= 0 ? 'fixed' : 'fixed in a later version';
}

function isAbout({ externalId, cves }: Statement, { ids }: MatchLabel): boolean {
  return ids.some((id) => id === externalId || cves.includes(id));
}

type FoundIds = ReadonlyMap<string, 'visible' | 'hidden'>;

/** The advisories and open CVEs of each found package version. */
function foundIds(evaluation: Evaluation): ReadonlyMap<string, FoundIds> {
  const found = new Map<string, Map<string, 'visible' | 'hidden'>>();
  for (const { name, installedVersion, advisories } of allFindings(evaluation)) {
    const key = packageKey(name, installedVersion);
    const ids = found.get(key) ?? new Map<string, 'visible' | 'hidden'>();
    for (const { statement } of advisories) {
      const weight = statement.severity === 'none' ? 'hidden' : 'visible';
      for (const id of [statement.externalId, ...(statement.openCves ?? statement.cves)])
        if (ids.get(id) !== 'visible') ids.set(id, weight);
    }
    found.set(key, ids);
  }
  return found;
}
