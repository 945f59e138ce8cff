import type { DuePreset } from '@plimsoll/model';
import { ExternalLink } from '../../../design/text/external-link.tsx';
import { presetNotes } from '../../../words/preset-words.ts';
import styles from '../settings.module.css';

/** What a preset does, what it cannot know, and where its times come from. */
export function PresetNotes({ preset }: { readonly preset: DuePreset }) {
  const { notes, sources } = presetNotes[preset];
  return (
    <div className={styles['muted']}>
      <ul aria-label="About this preset">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {sources.length > 0 && (
        <p className={styles['inline']}>
          {sources.map(([title, url]) => (
            <ExternalLink key={url} url={url}>
              {title}
            </ExternalLink>
          ))}
        </p>
      )}
    </div>
  );
}
