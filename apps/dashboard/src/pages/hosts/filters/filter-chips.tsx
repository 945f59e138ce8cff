import { X } from 'lucide-react';
import { Button } from '../../../design/button.tsx';
import { printable } from '../../../design/text/printable.ts';
import styles from '../hosts.module.css';
import { type HostsSearch, useHostsSearch } from '../hosts-search.ts';
import { filterSpecs, valueWords } from './filter-specs.ts';

/** The search parameters without filters; the order stays. */
export const noFilters: HostsSearch = Object.fromEntries(
  ['q', ...filterSpecs.map(({ name }) => name)].map((name) => [name, '']),
);

/** The active filters, each with a button that removes it. */
export function FilterChips() {
  const [search, change] = useHostsSearch();
  const chips = filterSpecs.flatMap((spec) => {
    const value = search[spec.name];
    return value === undefined
      ? []
      : [{ name: spec.name, words: `${spec.label}: ${printable(valueWords(spec, value), 60)}` }];
  });
  if (chips.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Active filters">
      {chips.map(({ name, words }) => (
        <li key={name}>
          <Button aria-label={`Remove the filter ${words}`} onPress={() => change({ [name]: '' })}>
            <bdi className={styles['chipWords']}>{words}</bdi>
            <X aria-hidden />
          </Button>
        </li>
      ))}
      <li>
        <Button look="quiet" onPress={() => change(noFilters)}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
