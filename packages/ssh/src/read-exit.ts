import { pinStatus, pinWord, unpinnedWord } from './authorized-keys-line.ts';
import { lastPrintableLine, printable } from './printable.ts';
import type { Exit } from './run-collector.ts';
import { SessionFailure } from './session-failure.ts';

/** Limit on what a login shell may print before the report, in bytes. */
const greetingBytes = 65_536;

/** The findings of a session. */
export type Findings =
  | { readonly kind: 'report'; readonly report: Buffer }
  /** The host runs only the script with this SHA-256. */
  | { readonly kind: 'pin'; readonly sha256: string };

/**
 * Distinguishes a report from a refusal, and drops what a login shell printed before. Throws SessionFailure for any
 * other output; `sent` is the SHA-256 of the collector that was sent.
 */
export function readExit(exit: Exit, at: string, sent: string): Findings {
  const { status, output, standardError } = exit;
  if (status === 0) {
    const start = startOfLine(output, 'plimsoll-report ');
    if (start !== null) return { kind: 'report', report: output.subarray(start) };
    throw noReport(at, lastPrintableLine(output));
  }
  const pin = status === pinStatus ? pinIn(output) : null;
  if (pin !== null && pin !== sent) return { kind: 'pin', sha256: pin };
  if (pin !== null) {
    throw new SessionFailure(
      'command_failed',
      `${at} refused the very collector it asks for: check that timeout, head and sha256sum work there, that no start file of the login shell reads standard input, and that the connection is not too slow to bring it within a minute.`,
    );
  }
  const said =
    lastPrintableLine(standardError.end, unpinnedWord) ??
    lastPrintableLine(output.subarray(0, greetingBytes));
  const how = howItEnded(exit);
  throw new SessionFailure(
    'command_failed',
    `The collector on ${at} ${how}${said === null ? '' : ` ("${said}")`}: check that the user may run /bin/sh, and run the collector there by hand.`,
  );
}

function howItEnded({ status, signalName }: Exit): string {
  if (status !== null) return `ended with status ${status}`;
  return signalName === null ? 'ended without a status' : `was ended by ${printable(signalName, 20)}`;
}

function noReport(at: string, said: string | null): SessionFailure {
  const words = said === null ? 'nothing' : `"${said}"`;
  return new SessionFailure(
    'command_failed',
    `${at} printed ${words} instead of a report: check that the user's login shell and a forced command let the collector run.`,
  );
}

function pinIn(output: Buffer): string | null {
  const start = startOfLine(output, `${pinWord} `);
  if (start === null) return null;
  const line = output.toString('latin1', start, start + pinWord.length + 66);
  return /^\S+ ([0-9a-f]{64})(?:\r?\n|$)/.exec(line)?.[1] ?? null;
}

/** The start of a line that begins with a word, within the limit for a greeting. */
function startOfLine(output: Buffer, word: string): number | null {
  const head = output.subarray(0, greetingBytes + word.length);
  for (let at = head.indexOf(word); at !== -1; at = head.indexOf(word, at + 1)) {
    if (at === 0 || head[at - 1] === 10) return at;
  }
  return null;
}
