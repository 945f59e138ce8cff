import type { FieldProblem } from '../../api/problem.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import styles from './host.module.css';

const shown = 5;

/** Errors of a report with their lines; the first few, the others on demand. */
export function LineErrors({ errors }: { readonly errors: readonly FieldProblem[] }) {
  if (errors.length === 0) return null;
  const left = errors.slice(shown);
  return (
    <>
      <List errors={errors.slice(0, shown)} />
      {left.length > 0 && (
        <details>
          <summary>{left.length} more</summary>
          <List errors={left} />
        </details>
      )}
    </>
  );
}

function List({ errors }: { readonly errors: readonly FieldProblem[] }) {
  return (
    <ul className={styles['list']}>
      {errors.map(({ pointer, detail }) => (
        <li key={pointer + detail}>
          {pointer !== '' && (
            <>
              <ForeignText text={pointer} mono />
              {': '}
            </>
          )}
          <ForeignText text={detail} />
        </li>
      ))}
    </ul>
  );
}
