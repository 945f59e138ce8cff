import type { SealedEvent } from './audit-chain.ts';
import type { KnownLink } from './verify-audit.ts';

/** An event as one line of JSON, without the line feed: its position, its hash, and the text that was hashed, as `event`. */
export function exportLineOf({ position, hash, text }: SealedEvent): string {
  return `{"position":${position},"hash":"${hash}","event":${text}}`;
}

const line = /^\{"position":([1-9]\d{0,14}),"hash":"([0-9a-f]{64})","event":(\{.*\})\}$/;

/** Reads such a line; null if it is none. Also finds it behind a syslog header. */
export function readExportLine(text: string): (KnownLink & Pick<SealedEvent, 'text'>) | null {
  const start = text.indexOf('{"position":');
  const [, position, hash = '', event = ''] = (start < 0 ? null : line.exec(text.slice(start))) ?? [];
  return position === undefined ? null : { position: Number(position), hash, text: event };
}
