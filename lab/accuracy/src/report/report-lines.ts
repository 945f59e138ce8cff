import type { AccuracyResult, ComparisonResult, EvaluationResult } from '../accuracy-result.ts';
import type { FeedFileResult } from '../feeds/read-feed-file.ts';
import type { Summary } from '../summary.ts';

/** The level of detail. */
export interface ReportStyle {
  /** The number of differences per kind that are listed; the others are counted. */
  readonly named: number;
  readonly now: Date;
}

/** The report, line by line. */
export function reportLines(result: AccuracyResult, style: ReportStyle): readonly string[] {
  const hosts = new Map<string, EvaluationResult[]>();
  for (const evaluation of result.evaluations) {
    hosts.set(evaluation.inventory, [...(hosts.get(evaluation.inventory) ?? []), evaluation]);
  }
  return [
    'Feeds',
    ...result.feeds.map(feedLine),
    ...[...hosts].flatMap(([inventory, evaluations]) => [
      '',
      inventory,
      ...evaluations.flatMap((evaluation) => evaluationLines(evaluation, style)),
    ]),
    ...silentLines(result),
    ...oracleLines(result, style),
    '',
    ...(result.failures.length === 0
      ? ['No difference but reviewed ones.']
      : [`Failed for ${result.failures.length} reasons:`, ...result.failures.map((text) => `  ${text}`)]),
  ];
}

function feedLine({ file, read, ms }: FeedFileResult): string {
  if (read.kind === 'unread') return `  ${file}: left out: ${read.detail}`;
  const newest = read.newest === null ? '' : `, to ${dayOf(read.newest)}`;
  const rejected = read.rejected.size === 0 ? '' : `, rejected: ${counted(read.rejected)}`;
  const seconds = (ms / 1000).toFixed(1);
  return `  ${file}: ${number(read.records)} records${newest}${rejected}, ${seconds} s, ${read.feedIds.join(', ')}`;
}

function evaluationLines(evaluation: EvaluationResult, style: ReportStyle): readonly string[] {
  const { release, feeds, asOf, endsAt, summary, comparisons, name } = evaluation;
  const asOfText = asOf === null ? '' : `, as of ${dayOf(asOf)}`;
  const ended = endsAt !== null && endsAt <= (asOf ?? style.now);
  const eol = ended ? `, out of support since ${dayOf(endsAt)}: a lower bound` : '';
  return [
    `  ${name} (${release} by ${feeds.join(' + ')}${asOfText}${eol})`,
    ...summaryLines(summary).map((line) => `    ${line}`),
    ...comparisons.flatMap((comparison) => comparisonLines(comparison, style)).map((line) => `    ${line}`),
  ];
}

function summaryLines(summary: Summary): readonly string[] {
  const { counts, verdicts, fixStates } = summary;
  const severities = (['critical', 'important', 'moderate', 'low', 'unrated'] as const)
    .map((severity) => `${severity} ${counts[severity]}`)
    .join(', ');
  return [
    `packages ${number(summary.packages)}: ${counted(verdicts)}`,
    `findings ${number(summary.findings)}: ${number(summary.withFix)} with a fix (${severities}), ` +
      `${number(summary.withoutFix)} without, ${number(summary.hidden)} hidden; known exploited ${number(counts.knownExploited)}`,
    `fix states: ${fixStates.size === 0 ? 'none' : counted(fixStates)}`,
    `advisories ${number(summary.advisories)}, pairs of advisory and package ${number(summary.pairs)}, ` +
      `${number(summary.hiddenPairs)} of them hidden`,
  ];
}

function comparisonLines(
  { title, comparison, review }: ComparisonResult,
  style: ReportStyle,
): readonly string[] {
  const { agreed, expected, differences } = comparison;
  const kinds = new Map<string, number>();
  for (const { kind } of differences) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const lines = [
    `against ${title}: ${number(agreed)} of ${number(expected)} agree; ` +
      `${kinds.size === 0 ? 'no difference' : counted(kinds)}`,
  ];
  for (const { entry, differences: list } of review.reviewed) {
    const about = [entry.id, entry.package].filter((word) => word !== undefined).join(' ');
    lines.push(`  reviewed ${entry.difference} ${number(list.length)} ${about}: ${entry.reason}`);
  }
  for (const kind of kinds.keys()) {
    const open = review.open.filter((difference) => difference.kind === kind);
    lines.push(...open.slice(0, style.named).map(({ text, why }) => `  ${wordOf(kind)} ${text} [${why}]`));
    if (open.length > style.named)
      lines.push(`  ${wordOf(kind)} … and ${number(open.length - style.named)} more`);
  }
  return lines;
}

/** The display name of a kind of difference. */
function wordOf(kind: string): string {
  if (kind === 'missing') return 'false negative';
  return kind === 'extra' ? 'false positive' : `other ${kind}`;
}

function silentLines({ silent }: AccuracyResult): readonly string[] {
  if (silent.length === 0) return [];
  return [
    '',
    'No feed of the folder covers',
    ...silent.map(({ inventory, release }) => `  ${inventory} (${release})`),
  ];
}

function oracleLines({ oracles }: AccuracyResult, style: ReportStyle): readonly string[] {
  if (oracles.length === 0) return [];
  return [
    '',
    'Order of versions, by sort key, both ways',
    ...oracles.flatMap(({ name, pairs, wrong }) => [
      `  ${name}: ${number(pairs - wrong.length)} of ${number(pairs)} pairs agree`,
      ...wrong.slice(0, style.named).map((line) => `    wrong ${line.replaceAll('\t', ' ')}`),
    ]),
  ];
}

function counted(words: ReadonlyMap<string, number>): string {
  return [...words].map(([word, count]) => `${word} ${number(count)}`).join(', ');
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
