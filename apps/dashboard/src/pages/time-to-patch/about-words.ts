import { severityWords } from '@plimsoll/words';
import { hostsInWords } from '../../design/number-words.ts';
import { printable } from '../../design/text/printable.ts';
import { dateInWords, exactTime } from '../../design/time/moment-words.ts';

interface Choice {
  /** Ends of the period, as the answer has them. */
  readonly from: string;
  readonly to: string;
  readonly hosts: number;
  readonly tags: readonly string[];
  readonly severity: Exclude<keyof typeof severityWords, 'none'> | undefined;
}

/** What the numbers of the page are about, in one sentence: a print lacks the fields that chose it. */
export function aboutInWords({ from, to, hosts, tags, severity }: Choice): string {
  const tagged = tags.length === 0 ? '' : ` tagged ${tags.map((tag) => printable(tag, 60)).join(' or ')}`;
  const rated = severity === undefined ? '' : `, only findings of severity ${severityWords[severity].words}`;
  const period = `${dateInWords(new Date(from), 'UTC')} to ${exactTime(new Date(to), 'UTC')}`;
  return `${period}, ${hostsInWords(hosts)}${tagged}${rated}.`;
}
