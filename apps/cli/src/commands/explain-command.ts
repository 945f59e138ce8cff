import type { ExplainedPackage } from '@plimsoll/advisories';
import {
  createAssessmentStore,
  createExplainStore,
  createHostStore,
  createKnowledgeMemories,
  type Database,
  type ExplainStore,
  type LoadedExplanation,
  loadExplanation,
  type NamedHost,
} from '@plimsoll/db';
import { gapsOfBits, wholeFleet } from '@plimsoll/model';
import { fixWords, gapWords, severityWords, waiverKindWords } from '@plimsoll/words';
import { Command } from 'commander';
import { StartError } from '../service/start-error.ts';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll explain HOST PACKAGE ADVISORY`: why an advisory is or is not a finding on a host's package. */
export function explainCommand(context: CommandContext): Command {
  return new Command('explain')
    .description('why an advisory is a finding on a package of a host, or why not')
    .argument('<host>', 'its id, display name or hostname')
    .argument('<package>', 'a binary package, or failing that a source package')
    .argument('<advisory>', 'its id, an alias or a CVE')
    .addOption(configOption())
    .action(async (host: string, packageName: string, advisory: string, flags: ConfigFlags) => {
      const asked = { host, packageName, advisory };
      await withDatabase(context, flags, 'plimsoll explain', async (db) => {
        for (const line of await explainLines(db, asked)) context.say(line);
      });
    });
}

async function explainLines(
  db: Database,
  asked: { readonly host: string; readonly packageName: string; readonly advisory: string },
): Promise<readonly string[]> {
  const stores = {
    assessments: createAssessmentStore(db, createKnowledgeMemories(db)),
    explanations: createExplainStore(db),
  };
  const host = await findHost(stores.explanations, asked.host);
  const overview = await createHostStore(db).find(wholeFleet, host.id);
  if (overview === null) throw new StartError(`There is no host ${asked.host}.`);
  const gaps = gapsOfBits(overview.gaps);
  const { packageName, advisory } = asked;
  return linesOf(host, await loadExplanation(stores, { hostId: host.id, gaps, packageName, advisory }));
}

async function findHost(explanations: ExplainStore, text: string): Promise<NamedHost> {
  const [host, ...others] = await explanations.hostsNamed(text);
  if (host === undefined) throw new StartError(`There is no host ${text}.`);
  if (others.length === 0) return host;
  const ids = [host, ...others].map(({ id, displayName }) => `${id} (${oneLine(displayName)})`);
  throw new StartError(`Several hosts are called ${text}; name one by its id: ${ids.join(', ')}.`);
}

const verdicts = {
  finding: 'A finding',
  hidden: 'A hidden finding',
  not_a_finding: 'Not a finding',
  unknown: 'Unknown',
} as const;

function linesOf(host: NamedHost, { explanation, advisories, feed }: LoadedExplanation): string[] {
  const { verdict, reason, gap, detail, release, packages } = explanation;
  const updatedAt = feed?.updatedAt ?? null;
  const age = updatedAt === null ? ', never read' : `, as of ${updatedAt.toISOString()}`;
  return [
    `${verdicts[verdict]} (${reason.replaceAll('_', ' ')}): ${detail}`,
    `Host: ${host.displayName} (${host.id})${release === null ? '' : `, ${release}`}`,
    ...(gap === null ? [] : [`Gap: ${gapWords[gap].phrase}`]),
    ...(release === null
      ? []
      : [feed === null ? 'Feed: none covers this release' : `Feed: ${feed.id}${age}`]),
    ...advisories.map(({ externalId, feedId, url }) => `Advisory: ${externalId} of ${feedId} ${url}`.trim()),
    ...packages.flatMap(packageLines),
  ].map(oneLine);
}

function packageLines(explained: ExplainedPackage): string[] {
  const { name, architecture, installedVersion, sourceName, sourceVersion } = explained;
  return [
    `Package: ${name} ${installedVersion} ${architecture}, source ${sourceName} ${sourceVersion}`,
    ...(explained.fixState === null || explained.severity === null
      ? []
      : [
          `  ${severityWords[explained.severity].words}, fixed in ${explained.fixedVersion ?? 'no version'}: ${fixWords[explained.fixState].words}`,
        ]),
    `  ${explained.reason.replaceAll('_', ' ')}: ${explained.detail}`,
    ...waiverLines(explained),
    ...explained.statements.map(
      ({ externalId, judgement, detail }) => `  ${externalId}: ${judgement.replaceAll('_', ' ')}. ${detail}`,
    ),
  ];
}

function waiverLines({ waiver }: ExplainedPackage): string[] {
  if (waiver === null) return [];
  return [
    `  Waived, ${waiverKindWords[waiver.kind].words}, by ${waiver.createdBy} until ${waiver.expiresAt.toISOString()} (${waiver.id})`,
  ];
}

/** Text from hosts and feeds may contain terminal control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '?');
}
