import { readFileSync } from 'node:fs';
import { InputError } from './input-error.ts';

/** The text of a named file. Throws InputError if it cannot be read. */
export function readInput(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file} cannot be read`, { cause: error });
  }
}
