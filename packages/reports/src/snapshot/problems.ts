import type { FieldError } from '@plimsoll/model';
import { maxProblems } from '../limits.ts';

/** Collects a snapshot's faults (`errors`) and corrections (`warnings`), each in the order found. */
export class Problems {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];

  /** Records a violation, up to `maxProblems`. */
  error(pointer: string, detail: string): void {
    if (this.errors.length < maxProblems) this.errors.push({ pointer, detail });
  }

  /** Records a correction, up to `maxProblems`. */
  warn(pointer: string, detail: string): void {
    if (this.warnings.length < maxProblems) this.warnings.push({ pointer, detail });
  }
}
