import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/queries.ts';
import { Notice } from '../../design/notice.tsx';
import { hostsInWords } from '../../design/number-words.ts';

interface PackageAnswerNotesProps {
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits of the list: epochs, versions that cannot be compared, hosts without a report or with an old one. */
export function PackageAnswerNotes({ headers }: PackageAnswerNotesProps) {
  const uncompared = Number(headers['plimsoll-not-comparable'] ?? 0);
  const unreported = Number(headers['plimsoll-not-reported'] ?? 0);
  const { data: fleet } = useApi('/fleet/summary');
  const outdated = fleet?.by_gap.report_outdated ?? 0;
  const isWithoutEpochs = headers['plimsoll-epochs'] === 'ignored';
  if (!isWithoutEpochs && uncompared === 0 && unreported === 0 && outdated === 0) return null;
  return (
    <Notice tone="neutral">
      {isWithoutEpochs && (
        <p>
          Epochs were ignored, because the version was given without one. Put one before it, as in 1:3.0.1, to
          compare them too.
        </p>
      )}
      {uncompared > 0 && (
        <p>
          {hostsInWords(uncompared)} {uncompared === 1 ? 'has' : 'have'} a version that cannot be compared,
          and {uncompared === 1 ? 'is' : 'are'} listed.
        </p>
      )}
      {unreported > 0 && (
        <p>
          <Link to="/hosts" search={{ gap: 'no_report', approval_status: 'approved' }}>
            {hostsInWords(unreported)}
          </Link>{' '}
          {unreported === 1 ? 'has' : 'have'} sent no report, so whether the package is there is not known.
        </p>
      )}
      {outdated > 0 && (
        <p>
          <Link to="/hosts" search={{ gap: 'report_outdated', approval_status: 'approved' }}>
            {hostsInWords(outdated)}
          </Link>{' '}
          {outdated === 1 ? 'has' : 'have'} not reported for a while: what is listed here of{' '}
          {outdated === 1 ? 'it' : 'them'} is as of the last report.
        </p>
      )}
    </Notice>
  );
}
