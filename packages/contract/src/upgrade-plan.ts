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
    is_security: z.boolean().describe("The package manager's classification."),
    severity: severity
      .nullable()
      .describe('The worst severity it closes; null if it closes no known advisory.'),
    advisory_ids: z.array(z.string()),
  })
  .meta({ id: 'PlannedPackage' });

const planAdvisory = {
  id: z.string(),
  severity,
  known_exploited: z.boolean(),
  packages: z.array(z.string()).describe('Names of the installed packages on which it is open.'),
};

const commandSchema = z
  .strictObject({
    scope: z
      .enum(['full', 'security'])
      .describe('security: updates that the package manager calls security updates or that close a finding.'),
    command: z.string().describe('For a POSIX shell, as root; one line.'),
    unpinned: z
      .string()
      .nullable()
      .describe(
        'The same without versions: installs what the repositories offer at run time. null: `command` names no versions.',
      ),
    packages: z.number().int().min(0).describe('The number of `packages` it covers.'),
  })
  .meta({ id: 'UpgradeCommand' });

/** The predicted result of one upgrade of a host, from the host's last report. */
export const upgradePlanSchema = z
  .strictObject({
    host_id: id,
    snapshot_id: id.nullable().describe('Its source; null: the host has not reported yet.'),
    snapshot_received_at: timestamp.nullable(),
    updates_state: z
      .enum(updatesStates)
      .describe('A package that is missing here is up to date only if this is `known`.'),
    package_manager: z.enum(packageManagers).nullable(),
    packages: z.array(plannedSchema).describe('Packages that are upgraded or newly installed, by name.'),
    left_out: z
      .array(
        z.strictObject({
          name: z.string(),
          architecture: z.string(),
          from_version: z.string(),
          to_version: z.string(),
          severity: severity.nullable(),
          reason: z
            .enum(['held', 'phased', 'unsafe_name', 'downgrade'])
            .describe(
              'unsafe_name: not a valid package name or version. downgrade: lower than the installed version.',
            ),
        }),
      )
      .describe('Offers that are not applied.'),
    closes: z
      .array(
        z.strictObject({
          ...planAdvisory,
          after_reboot: z
            .boolean()
            .describe('An advisory of the running kernel: open until the host boots the new one.'),
        }),
      )
      .describe('Advisories, the most severe first.'),
    stays_open: z
      .array(z.strictObject({ ...planAdvisory, fix_state: z.enum(fixStates).describe('The reason.') }))
      .describe(
        'Advisories that stay open on a package, the most severe first; they can be closed on other packages.',
      ),
    reboot: z
      .strictObject({
        state: z
          .enum(dueStates)
          .describe(
            'Prediction: whether a reboot is due afterwards. unknown also if more updates may be offered than are known.',
          ),
        reasons: z.array(
          z.strictObject({
            code: z.enum(['already_needed', 'kernel_upgraded', 'core_package_upgraded', 'new_system']),
            detail: z.string(),
          }),
        ),
      })
      .meta({ id: 'PlannedReboot' }),
    forensics_first: z
      .array(z.string())
      .describe(
        'Open advisories for which a rule of the due dates asks for forensics: evidence is to be taken before the host is changed. Empty: none.',
      ),
    restarts: z
      .strictObject({
        state: z
          .enum(dueStates)
          .describe('unknown: packages change, or may, and their users are known only afterwards.'),
        services: z.array(z.string()).describe('Services that are already due.'),
      })
      .meta({ id: 'PlannedRestarts' }),
    commands: z.array(commandSchema).describe('Empty if there is nothing to do or nothing is known.'),
  })
  .meta({ id: 'UpgradePlan' });

export type UpgradePlan = z.output<typeof upgradePlanSchema>;
