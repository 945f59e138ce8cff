import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of testdata/. */
export function recorded(name: string): string {
  return readFileSync(path.join(__dirname, '../../testdata', name), 'utf8');
}
