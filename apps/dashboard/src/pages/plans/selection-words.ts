import { filterSpecs, valueWords } from '../hosts/filters/filter-specs.ts';

const ofFilters = 'filter: ';

/**
 * Which hosts a saved plan selects: filters by the labels of the list of hosts. Text in a form that is not understood, such
 * as a search with commas, stays as it is.
 */
export function selectionInWords(text: string): string {
  if (!text.startsWith(ofFilters)) return text;
  const words = text.slice(ofFilters.length).split(', ').map(filterIn);
  return words.some((one) => one === null) ? text : words.join(', ');
}

/** Null for anything but one value of a known filter. */
function filterIn(pair: string): string | null {
  const [name, value, ...others] = pair.split('=');
  const spec = filterSpecs.find((one) => one.name === name);
  if (spec === undefined || value === undefined || others.length > 0) return null;
  return `${spec.label}: ${valueWords(spec, value)}`;
}
