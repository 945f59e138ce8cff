import type { FieldError } from '@plimsoll/model';
import { atLine } from './at-line.ts';

/** Where in a report the fields of its snapshot come from. */
export class Places {
  private readonly lists = new Map<string, readonly number[]>();
  private readonly fields = new Map<string, number>();

  /** Says at which lines the entries of a repeated field stand. */
  list(pointer: string, lines: readonly number[]): void {
    this.lists.set(pointer, lines);
  }

  /** Says at which line a field, or a message with all its fields, stands. */
  field(pointer: string, line: number): void {
    this.fields.set(pointer, line);
  }

  /** A problem of a field as one of a line; of line 1 where nothing says where it comes from. */
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
