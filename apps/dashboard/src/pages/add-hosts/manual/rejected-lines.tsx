import { useEffect, useMemo, useState } from 'react';
import type { FieldProblem } from '../../../api/problem.ts';
import { Notice } from '../../../design/notice.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { lineOf, readLines } from './report-lines.ts';

interface Fault {
  readonly place: number;
  /** Null: the error is about the whole report. */
  readonly line: number | null;
  readonly detail: string;
  readonly text: string;
}

const columns: readonly Column<Fault>[] = [
  column('line', 'Line', {
    align: 'end',
    sortBy: ({ line }) => line ?? 0,
    cell: ({ line }) => line ?? 'all',
  }),
  column('detail', 'Problem', { cell: ({ detail }) => <ForeignText text={detail} /> }),
  column('text', 'Content of the line', { cell: ({ text }) => <ForeignText text={text} oneLine mono /> }),
];

interface RejectedLinesProps {
  readonly file: File;
  readonly faults: readonly FieldProblem[];
}

/** The lines of a report that could not be read, each with the error and its text. */
export function RejectedLines({ file, faults }: RejectedLinesProps) {
  const [texts, setTexts] = useState<ReadonlyMap<number, string>>(new Map());
  const numbers = useMemo(() => new Set(faults.flatMap(({ pointer }) => lineOf(pointer) ?? [])), [faults]);
  useEffect(() => {
    let isShown = true;
    // The file may be gone or changed: then only the errors are shown, without the lines.
    readLines(file, numbers).then(
      (read) => isShown && setTexts(read),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [file, numbers]);
  const rows = faults.map(({ pointer, detail }, place): Fault => {
    const line = lineOf(pointer);
    return { place, line, detail, text: line === null ? '' : (texts.get(line) ?? '') };
  });
  return (
    <>
      <Notice tone="critical">
        <p>
          <strong>The report was rejected.</strong> Nothing was imported. If the file was cut off or edited,
          upload it again as the collector printed it.
        </p>
      </Notice>
      <DataTable label="Invalid lines" columns={columns} rows={rows} rowId={({ place }) => String(place)} />
    </>
  );
}
