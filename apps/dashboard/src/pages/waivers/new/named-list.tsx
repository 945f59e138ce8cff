import { groupedNumber } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../waivers.module.css';

const shown = 8;

/** The names that a choice stands for, if there are several. */
export function NamedList({ names }: { readonly names: readonly string[] }) {
  if (names.length < 2) return null;
  const left = names.length - shown;
  return (
    <ul className={styles['names']}>
      {names.slice(0, shown).map((name) => (
        <li key={name}>
          <ForeignText text={name} oneLine />
        </li>
      ))}
      {left > 0 && <li>and {groupedNumber(left)} more</li>}
    </ul>
  );
}
