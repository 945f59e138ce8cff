import { Command, InvalidArgumentError, Option } from 'commander';
import { type EvidenceVerdict, shown, verifyEvidence } from '../evidence/verify-evidence.ts';
import type { CommandContext } from './command-context.ts';

interface VerifyEvidenceFlags {
  readonly key?: string;
  readonly json?: boolean;
}

/** Exit codes by result. */
const exitCodes: Readonly<Record<EvidenceVerdict['result'], number>> = {
  valid: 0,
  not_valid: 1,
  unreadable: 2,
  not_read: 2,
  key_not_compared: 3,
};

/** `plimsoll verify-evidence FILE`: checks an evidence pack without a server, a database or a configuration. */
export function verifyEvidenceCommand({ say }: Pick<CommandContext, 'say'>): Command {
  return new Command('verify-evidence')
    .description('check that an evidence pack is as it was signed; needs no server')
    .argument('<file>', 'the zip')
    .addOption(
      new Option('--key <fingerprint>', 'the expected signing key, as the operator gave it to you').argParser(
        toFingerprint,
      ),
    )
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExit codes: 0 valid and signed by the key given · 1 changed, missing or added files, or another key or a wrong signature ·\n2 the file is not an evidence pack, or cannot be read · 3 as it was signed, but no --key was given, so anybody may have signed it.',
    )
    .action(async (file: string, { key, json }: VerifyEvidenceFlags) => {
      const verdict = await verifyEvidence(file, key ?? null);
      for (const line of json === true ? [JSON.stringify(verdict)] : linesOf(verdict)) say(line);
      process.exitCode = exitCodes[verdict.result];
    });
}

function toFingerprint(text: string): string {
  if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(text)) throw new InvalidArgumentError('a fingerprint like SHA256:…');
  return text;
}

const resultWords: Readonly<Record<EvidenceVerdict['result'], string>> = {
  valid: 'VALID: signed by the expected key, and every file is as it was signed.',
  not_valid: 'NOT VALID.',
  unreadable: 'NOT AN EVIDENCE PACK.',
  not_read: 'NOT CHECKED: the file cannot be read.',
  key_not_compared:
    'AS IT WAS SIGNED, but by whom is not known: give the fingerprint that the operator gave you with --key.',
};

function linesOf({
  result,
  faults,
  fingerprint,
  manifest,
  valid,
  changed,
  missing,
  added,
}: EvidenceVerdict): readonly string[] {
  const list = (words: string, names: readonly string[]) => names.map((name) => `${words} ${name}`);
  return [
    resultWords[result],
    ...faults,
    ...(manifest === null
      ? []
      : [
          `About ${shown(manifest.subject)}, ${shown(manifest.from)} to ${shown(manifest.to)}, made ${shown(manifest.made_at)} by ${shown(manifest.made_by)}.`,
        ]),
    ...(fingerprint === null ? [] : [`Signed by ${fingerprint}.`]),
    ...list('valid  ', valid),
    ...list('CHANGED', changed),
    ...list('MISSING', missing),
    ...list('ADDED  ', added),
    ...(manifest === null ? [] : limitsOf(manifest.notes)),
    ...(manifest?.complete === false
      ? ['The pack says of itself that it is NOT COMPLETE: see the notes in evidence.json.']
      : []),
  ];
}

/** What limits the evidence, as the pack says: that its files are valid does not mean that they have everything. */
function limitsOf(notes: readonly string[] | undefined): readonly string[] {
  if (notes === undefined) return ['What limits the evidence is in the notes of evidence.json: read them.'];
  return ['What limits the evidence, as the pack says:', ...notes.map((note) => `- ${shown(note, 2_000)}`)];
}
