import { dueStates, fixStates, packageManagers, severities, updatesStates } from '@plimsoll/model';
import { z } from 'zod';
import { id, timestamp } from './field-types.ts';

const severity = z.enum(severities);

const plannedSchema = z
  .strictObject({
    name: z.string(),
    architecture: z.string(),
    from_version: z.string().nullable().describe('null: newly installed, as kernels are.'),
    to_version: z.string(),
    repository: z.string(),
    is_security: z.boolean().describe("The package manager's own word."),
    severity: severity.nullable().describe('The worst it closes; null where it closes none that is known.'),
    advisory_ids: z.array(z.string()),
  })
  .meta({ id: 'PlannedPackage' });

const planAdvisory = {
  id: z.string(),
  severity,
  known_exploited: z.boolean(),
  packages: z.array(z.string()).describe('Names of the installed packages it is open on.'),
};

const commandSchema = z
  .strictObject({
    scope: z
      .enum(['full', 'security'])
      .describe('security: what the package manager calls a security update or what closes a finding.'),
    command: z.string().describe('For a POSIX shell, as root; one line.'),
    unpinned: z
      .string()
      .nullable()
      .describe(
        'The same without versions: what the repositories offer when it runs. null: `command` names no versions.',
      ),
    packages: z.number().int().min(0).describe('How many of `packages` it is for.'),
  })
  .meta({ id: 'UpgradeCommand' });

/** What one upgrade of a host would do, as far as the host has told. */
export const upgradePlanSchema = z
  .strictObject({
    host_id: id,
    snapshot_id: id.nullable().describe('What it rests on; null: the host has told nothing yet.'),
    snapshot_received_at: timestamp.nullable(),
    updates_state: z
      .enum(updatesStates)
      .describe('Only under `known` is a package that is missing here up to date.'),
    package_manager: z.enum(packageManagers).nullable(),
    packages: z.array(plannedSchema).describe('What is upgraded or newly installed, by name.'),
    left_out: z
      .array(
        z.strictObject({
          name: z.string(),
          architecture: z.string(),
          from_version: z.string(),
          to_version: z.string(),
          severity: severity.nullable(),
          reason: z
            .enum(['held', 'unsafe_name', 'downgrade'])
            .describe(
              'unsafe_name: it is no name or version that a package manager would make. downgrade: it is lower than the installed version.',
            ),
        }),
      )
      .describe('What is offered and stays as it is.'),
    closes: z
      .array(
        z.strictObject({
          ...planAdvisory,
          after_reboot: z
            .boolean()
            .describe('Of the running kernel: open until the host has booted the new one.'),
        }),
      )
      .describe('Advisories, the most severe first.'),
    stays_open: z
      .array(z.strictObject({ ...planAdvisory, fix_state: z.enum(fixStates).describe('Why.') }))
      .describe(
        'Advisories that stay open on a package, the most severe first; they may be among those closed on others.',
      ),
    reboot: z
      .strictObject({
        state: z.enum(dueStates).describe('Whether a reboot is due after it, predicted.'),
        reasons: z.array(
          z.strictObject({
            code: z.enum(['already_needed', 'kernel_upgraded', 'core_package_upgraded']),
            detail: z.string(),
          }),
        ),
      })
      .meta({ id: 'PlannedReboot' }),
    restarts: z
      .strictObject({
        state: z
          .enum(dueStates)
          .describe('unknown: packages change, and what uses them shows only afterwards.'),
        services: z.array(z.string()).describe('Those that are due already.'),
      })
      .meta({ id: 'PlannedRestarts' }),
    commands: z.array(commandSchema).describe('None where nothing is to be done or nothing is known.'),
  })
  .meta({ id: 'UpgradePlan' });

/** What `upgradePlanSchema` lets through. */
export type UpgradePlan = z.output<typeof upgradePlanSchema>;
