import { type AuditVerdict, type KnownLink, verifyAudit } from '@plimsoll/db';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';
import { type ExportRange, readExport } from './read-export.ts';

interface VerifyAuditFlags extends ConfigFlags {
  readonly head?: KnownLink;
  readonly export?: string;
  readonly json?: boolean;
}

/**
 * `plimsoll verify-audit`: checks the chain of audit events, and compares it with what is known from elsewhere. Exit code
 * 1 if it is broken or something known cannot be compared.
 */
export function verifyAuditCommand(context: CommandContext): Command {
  const { say } = context;
  return new Command('verify-audit')
    .description('check that no event of the audit log was changed or removed')
    .addOption(
      new Option('--head <position:hash>', 'the newest link as an earlier run printed it').argParser(toLink),
    )
    .addOption(new Option('--export <file>', 'compare with an exported file of JSON lines').conflicts('head'))
    .option('--json', 'one JSON object')
    .addOption(configOption())
    .action((flags: VerifyAuditFlags) =>
      withDatabase(context, flags, 'plimsoll verify-audit', async (db) => {
        const file = flags.export === undefined ? null : readExport(flags.export);
        const verdict = await verifyAudit(db, file?.links ?? (flags.head === undefined ? [] : [flags.head]));
        const range = file?.range() ?? null;
        const shown = file === null ? verdict : { ...verdict, export: range };
        const lines = flags.json === true ? [JSON.stringify(shown)] : linesOf(verdict);
        for (const text of lines) say(text);
        if (flags.json !== true && file !== null) for (const text of linesOfExport(range, verdict)) say(text);
        if (verdict.broken !== null || verdict.unknown > 0 || (range?.missing ?? 0) > 0) process.exitCode = 1;
      }),
    );
}

function toLink(text: string): KnownLink {
  const [, position, hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined) throw new InvalidArgumentError('a position and a hash like 12:9f86…');
  return { position: Number(position), hash };
}

/** What a check of the chain found, in words. */
export function linesOf(verdict: AuditVerdict): readonly string[] {
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

/** What the file has and lacks, after a whole chain: otherwise it was read only up to the break. */
function linesOfExport(range: ExportRange | null, { broken, head }: AuditVerdict): readonly string[] {
  if (broken !== null) return [];
  if (range === null) return ['The exported file has no events: nothing was compared.'];
  const { first, last, missing, firstMissing } = range;
  return [
    ...(missing > 0
      ? [
          `${missing} events between are missing in the exported file, from position ${firstMissing} on: lines were removed from it, or retention dropped the events before they were exported.`,
        ]
      : []),
    `The exported file has positions ${first} to ${last}${head !== null && last < head.position ? `; newer events, up to ${head.position}, were not compared` : ''}.`,
  ];
}
