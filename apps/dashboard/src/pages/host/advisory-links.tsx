import { Link } from '@tanstack/react-router';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import styles from './host.module.css';

const shown = 3;

/** Links to the first advisories of a list; the others are folded behind their number. */
export function AdvisoryLinks({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return '–';
  const left = ids.slice(shown);
  return (
    <span className={`${styles['text']} ${styles['tight']}`}>
      {ids.slice(0, shown).map((id) => (
        <AdvisoryLink key={id} id={id} />
      ))}
      {left.length > 0 && (
        <details>
          <summary>{left.length} more</summary>
          <span className={styles['tight']}>
            {left.map((id) => (
              <AdvisoryLink key={id} id={id} />
            ))}
          </span>
        </details>
      )}
    </span>
  );
}

function AdvisoryLink({ id }: { readonly id: string }) {
  return (
    <Link to="/advisories/$id" params={{ id }} search={{}}>
      <ForeignText text={id} />
    </Link>
  );
}
