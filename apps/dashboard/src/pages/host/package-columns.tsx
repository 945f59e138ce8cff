import type { Answer } from '../../api/client.ts';
import { Badge } from '../../design/badge.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import type { Column } from '../../design/table-columns.ts';
import { verdictReason, verdictWord } from '../../words/package-words.ts';
import styles from './host.module.css';

/** A package as GET /hosts/{id}/packages tells it. */
export type InstalledPackage = Answer<'get', '/hosts/{id}/packages'>[number];

/** The columns of the installed packages of a host of which any were checked. */
export const packageColumns = columnsOf(true);

/** The same for a host without advisories. */
export const uncheckedPackageColumns = columnsOf(false);

function columnsOf(isChecked: boolean): readonly Column<InstalledPackage>[] {
  return [
    {
      id: 'name',
      header: 'Package',
      width: '16rem',
      cell: ({ name }) => <Text text={name} />,
      sortBy: ({ name }) => name,
    },
    {
      id: 'version',
      header: 'Version',
      width: '14rem',
      cell: ({ version }) => <Text text={version} mono />,
      sortBy: ({ version }) => version,
    },
    {
      id: 'verdict',
      header: 'Checked',
      width: '10rem',
      cell: (row) => <Verdict row={row} isChecked={isChecked} />,
      sortBy: ({ verdict }) => verdict,
    },
    {
      id: 'why',
      header: 'Why',
      width: '18rem',
      from: 'medium',
      cell: ({ verdict_reason }) => {
        const words = verdict_reason === null ? '–' : verdictReason(verdict_reason);
        return (
          <span className={styles['text']}>
            <ForeignText text={words} oneLine />
          </span>
        );
      },
      sortBy: ({ verdict_reason }) => verdict_reason ?? '',
    },
    {
      id: 'architecture',
      header: 'Architecture',
      width: '8rem',
      from: 'medium',
      cell: ({ architecture }) => <ForeignText text={architecture} oneLine />,
      sortBy: ({ architecture }) => architecture,
    },
    {
      id: 'source',
      header: 'Source package',
      width: '18rem',
      from: 'wide',
      cell: ({ source_name, source_version }) => <Text text={`${source_name} ${source_version}`} />,
      sortBy: ({ source_name }) => source_name,
    },
    {
      id: 'origin',
      header: 'Origin',
      width: '14rem',
      from: 'wide',
      cell: ({ vendor, suite, module }) => (
        <Text text={[vendor, suite, module].filter((part) => part !== '').join(' · ') || '–'} />
      ),
      sortBy: ({ vendor }) => vendor,
    },
  ];
}

function Text({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
  return (
    <span className={styles['text']}>
      <ForeignText text={text} oneLine mono={mono} />
    </span>
  );
}

interface VerdictProps {
  readonly row: InstalledPackage;
  readonly isChecked: boolean;
}

function Verdict({ row: { verdict, verdict_reason, held }, isChecked }: VerdictProps) {
  const { words, tone, meaning } = verdictWord(verdict, verdict_reason, isChecked);
  return (
    <span className={styles['inline']}>
      <Badge tone={tone} title={meaning}>
        {words}
      </Badge>
      {held && (
        <Badge tone="moderate" title="Pinned or excluded on the host.">
          Held
        </Badge>
      )}
    </span>
  );
}
