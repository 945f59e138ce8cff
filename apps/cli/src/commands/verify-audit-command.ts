import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readConfig } from '@plimsoll/config';
import {
  type AuditVerdict,
  hashOfEvent,
  type KnownLink,
  openDatabase,
  readExportLine,
  verifyAudit,
} from '@plimsoll/db';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findDatabaseUrl } from '../service/running-database.ts';
import { StartError } from '../service/start-error.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

interface VerifyAuditFlags extends ConfigFlags {
  readonly head?: KnownLink;
  readonly export?: string;
  readonly json?: boolean;
}

/**
 * `plimsoll verify-audit`: checks the chain of audit events, and compares it with what is known from elsewhere. Exit code
 * 1 if it is broken or something known cannot be compared.
 */
export function verifyAuditCommand({ env, projectDir, say }: CommandContext): Command {
  return new Command('verify-audit')
    .description('check that no event of the audit log was changed or removed')
    .addOption(
      new Option('--head <position:hash>', 'the newest link as an earlier run printed it').argParser(toLink),
    )
    .addOption(new Option('--export <file>', 'compare with an exported file of JSON lines').conflicts('head'))
    .option('--json', 'one JSON object')
    .addOption(configOption())
    .action(async (flags: VerifyAuditFlags) => {
      const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
      const db = openDatabase({
        databaseUrl: await findDatabaseUrl(config),
        poolSize: 1,
        applicationName: 'plimsoll verify-audit',
        // The next statement reports a lost connection.
        onIdleError: () => undefined,
      });
      try {
        const verdict = await verifyAudit(db, knownLinks(flags));
        for (const text of flags.json === true ? [JSON.stringify(verdict)] : linesOf(verdict)) say(text);
        if (verdict.broken !== null || verdict.unknown > 0) process.exitCode = 1;
      } finally {
        await db.close();
      }
    });
}

function toLink(text: string): KnownLink {
  const [, position, hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined) throw new InvalidArgumentError('a position and a hash like 12:9f86…');
  return { position: Number(position), hash };
}

function knownLinks({
  head,
  export: file,
}: VerifyAuditFlags): AsyncIterable<KnownLink> | Iterable<KnownLink> {
  if (head !== undefined) return [head];
  return file === undefined ? [] : readExport(file);
}

/**
 * The links of an exported file, each position once and in ascending order. Rejects if a line is none, or does not have
 * the hash that follows from the line before it.
 */
export async function* readExport(file: string): AsyncIterable<KnownLink> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let last: KnownLink | null = null;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const link = readExportLine(text);
    if (link === null) throw new StartError(`Line ${number} of ${file} is no exported event.`);
    // A batch that was sent twice repeats its positions.
    if (last !== null && link.position <= last.position) continue;
    const follows = last !== null && link.position === last.position + 1;
    if (follows && hashOfEvent((last as KnownLink).hash, link.text) !== link.hash)
      throw new StartError(
        `Line ${number} of ${file} was changed: its hash does not follow from the line before.`,
      );
    last = link;
    yield { position: link.position, hash: link.hash };
  }
}

function linesOf(verdict: AuditVerdict): readonly string[] {
  const { broken, first, head, checked, unsealed, unsealedSince, unknown } = verdict;
  return [
    broken === null
      ? `The chain is whole: ${checked} events${first > 1 ? `, from position ${first} on` : ''}.`
      : `The chain is broken at position ${broken.position}: ${broken.detail}. ${checked} events before it are whole.`,
    ...(unknown > 0
      ? [`${unknown} known events were dropped by retention since and cannot be compared.`]
      : []),
    ...(unsealed > 0 && unsealedSince !== null
      ? [
          `${unsealed} events since ${unsealedSince.toISOString()} are not in the chain yet. Does a scheduler run?`,
        ]
      : []),
    ...(broken === null && head !== null ? [`Head: ${head.position}:${head.hash}`] : []),
  ];
}
