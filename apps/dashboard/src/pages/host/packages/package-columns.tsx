import { verdictReason } from '@plimsoll/words';
import { Button } from 'react-aria-components/Button';
import type { Answer } from '../../../api/client.ts';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { checkWord } from '../../../words/package-words.ts';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';
import { TextCell } from '../text-cell.tsx';

/** A row of GET /hosts/{id}/packages. */
export type InstalledPackageAnswer = Answer<'get', '/hosts/{id}/packages'>[number];

/** Columns of a list of installed packages. Together as wide as the page; the reason takes what the others leave. */
export const packageColumns: readonly Column<InstalledPackageAnswer>[] = [
  column('name', 'Package', {
    width: 'clamp(6.25rem, 13vw, 16rem)',
    cell: ({ name }) => <PackageName name={name} />,
    sortBy: ({ name }) => name,
  }),
  column('version', 'Version', {
    width: 'clamp(8.25rem, 12vw, 14rem)',
    cell: ({ version }) => <TextCell text={version} mono />,
    sortBy: ({ version }) => version,
  }),
  column('verdict', 'Checked', {
    width: 'clamp(6.75rem, 9vw, 8.5rem)',
    cell: (row) => <Verdict row={row} />,
    sortBy: ({ verdict }) => verdict,
  }),
  column('why', 'Why', {
    from: 'medium',
    cell: ({ verdict_reason }) => {
      const words = verdict_reason === null ? '–' : verdictReason(verdict_reason);
      return <TextCell text={words} />;
    },
    sortBy: ({ verdict_reason }) => verdict_reason ?? '',
  }),
  column('architecture', 'Architecture', {
    width: '8.5rem',
    from: 'medium',
    cell: ({ architecture }) => <ForeignText text={architecture} oneLine />,
    sortBy: ({ architecture }) => architecture,
  }),
  column('source', 'Source package', {
    width: 'clamp(11rem, 14vw, 18rem)',
    from: 'widest',
    cell: ({ source_name, source_version }) => <TextCell text={`${source_name} ${source_version}`} />,
    sortBy: ({ source_name }) => source_name,
  }),
  column('origin', 'Origin', {
    width: 'clamp(8rem, 10vw, 14rem)',
    from: 'widest',
    cell: ({ vendor, suite, module }) => (
      <TextCell text={[vendor, suite, module].filter((part) => part !== '').join(' · ') || '–'} />
    ),
    sortBy: ({ vendor }) => vendor,
  }),
];

/** Opens the question why an advisory is a finding on the package, or why not. */
function PackageName({ name }: Pick<InstalledPackageAnswer, 'name'>) {
  const [, change] = useHostSearch();
  return (
    <Button
      className={styles['why'] ?? ''}
      aria-label={`${printable(name, 2_000)}: why, or why not?`}
      onPress={() => change({ package: name })}
    >
      <ForeignText text={name} />
    </Button>
  );
}

function Verdict({ row }: { readonly row: InstalledPackageAnswer }) {
  const { words, tone, meaning } = checkWord(row);
  return (
    <span className={styles['inline']}>
      <Badge tone={tone} title={meaning}>
        {words}
      </Badge>
      {row.held && (
        <Badge tone="moderate" title="Pinned or excluded on the host.">
          Held
        </Badge>
      )}
    </span>
  );
}
