/** A part of the changelog: a heading of depth 2 or 3, or a paragraph, or a bullet. */
export interface ChangelogBlock {
  readonly kind: 'version' | 'heading' | 'paragraph' | 'bullet';
  /** Runs of text; every second one is emphasised. */
  readonly runs: readonly string[];
}

const kinds = { '## ': 'version', '### ': 'heading', '- ': 'bullet' } as const;

/** Reads the sections of CHANGELOG.md. Of links and code the text remains. */
export function readChangelog(markdown: string): readonly ChangelogBlock[] {
  const sections = markdown.slice(markdown.indexOf('\n## ') + 1);
  return sections
    .split(/\n\s*\n|\n(?=- )/)
    .map((block) => block.replace(/\s*\n\s*/g, ' ').trim())
    .filter((block) => block !== '')
    .map((block) => {
      const mark = Object.keys(kinds).find((start) => block.startsWith(start)) as
        | keyof typeof kinds
        | undefined;
      const text = block
        .slice(mark?.length ?? 0)
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('`', '');
      return { kind: mark === undefined ? 'paragraph' : kinds[mark], runs: text.split('**') };
    });
}
