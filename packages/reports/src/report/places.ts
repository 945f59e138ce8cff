import type { FieldError } from '@plimsoll/model';
import { atLine } from './at-line.ts';

/** The report lines of a snapshot's fields. */
export class Places {
  private readonly lists = new Map<string, readonly number[]>();
  private readonly fields = new Map<string, number>();

  /** Records the lines of a repeated field's entries. */
  list(pointer: string, lines: readonly number[]): void {
    this.lists.set(pointer, lines);
  }

  /** Records the line of a field, or of a message with all its fields. */
  field(pointer: string, line: number): void {
    this.fields.set(pointer, line);
  }

  /** Converts a field's problem to a line's problem; line 1 if the field's line is unknown. */
  locate({ pointer, detail }: FieldError): FieldError {
    const [, list = '', index = '', rest = ''] = /^(\/[a-z_]+)\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
    const entry = index === '' ? undefined : this.lists.get(list)?.[Number(index)];
    if (entry !== undefined)
      return { pointer: atLine(entry), detail: rest === '' ? detail : `${rest} ${detail}` };
    return { pointer: atLine(this.lineOf(pointer)), detail: `${pointer.slice(1)} ${detail}` };
  }

  private lineOf(pointer: string): number {
    for (let part = pointer; part !== ''; part = part.slice(0, part.lastIndexOf('/'))) {
      const line = this.fields.get(part);
      if (line !== undefined) return line;
    }
    return 1;
  }
}
