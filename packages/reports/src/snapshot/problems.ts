import type { FieldError } from '@plimsoll/model';
import { maxProblems } from '../limits.ts';

/** Collects what is wrong with a snapshot (`errors`) and what was set right in it (`warnings`), each in the order found. */
export class Problems {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];

  /** Notes a broken rule; beyond `maxProblems` it is dropped. */
  error(pointer: string, detail: string): void {
    if (this.errors.length < maxProblems) this.errors.push({ pointer, detail });
  }

  /** Notes something that was set right; beyond `maxProblems` it is dropped. */
  warn(pointer: string, detail: string): void {
    if (this.warnings.length < maxProblems) this.warnings.push({ pointer, detail });
  }
}
