import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { thisMachine } from '@plimsoll/loadtest';
import type { Row } from './try-faults.ts';

const page = path.resolve(__dirname, '../../docs/reliability.md');
/** What a measurement replaces in the page. */
const measured = /(?<=<!-- measured -->\n)[\s\S]*?(?=<!-- \/measured -->)/;

const lineOf = (cells: readonly unknown[]): string => `|${cells.join('|')}|\n`;

/** A row as a line of Markdown. */
export function lineOfRow({ fault, accepted, refused, firstSeconds, idleSeconds, ...row }: Row): string {
  const refusals = Object.entries(refused).map(
    ([status, n]) => `${n} × ${status === '0' ? 'no answer' : status}`,
  );
  return lineOf([
    ...[fault, accepted, refusals.join(', ') || '0', row.lost, row.twice, row.stuck, row.wrong],
    ...[firstSeconds.toFixed(1), idleSeconds.toFixed(1)],
  ]);
}

/** The rows as a table of Markdown, with the machine. */
export function tableOf(rows: readonly Row[]): string {
  const { cores, model, memoryGiB, load, node } = thisMachine();
  const day = new Date().toISOString().slice(0, 10);
  const columns = [
    'Fault',
    'Accepted',
    'Refused',
    'Lost',
    'Twice',
    'Stuck',
    'Wrong',
    'First 202, s',
    'Idle, s',
  ];
  return [
    `${day}, ${cores} cores (${model}), ${memoryGiB} GiB, Node.js ${node}, load ${load}:\n\n`,
    lineOf(columns),
    lineOf(columns.map(() => '---')),
    ...rows.map(lineOfRow),
  ].join('');
}

/** Writes a table into docs/reliability.md. */
export function writeTable(table: string): void {
  writeFileSync(page, readFileSync(page, 'utf8').replace(measured, table));
}
