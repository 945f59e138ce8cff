import { dueStates, rebootSources } from '@plimsoll/model';
import { z } from 'zod';
import { timestamp } from './field-types.ts';

/** Why a host needs a reboot; the codes are those of rebootReasonsOf of packages/advisories. */
export const rebootReasonsSchema = z.array(
  z.strictObject({
    code: z.string(),
    detail: z.string(),
    source: z
      .enum([...rebootSources, 'kernel', 'core_package'])
      .describe("Where it comes from: the host's flag file or tools, or what is compared here."),
  }),
);

/** Services that run outdated code. */
export const servicesToRestartSchema = z.array(z.strictObject({ name: z.string(), reason: z.string() }));

/** The running kernel, the kernel after a reboot, and other components that wait for a restart. */
export const kernelPostureSchema = z
  .strictObject({
    running_kernel: z.string().nullable(),
    latest_installed_kernel: z.string().nullable(),
    running_is_latest: z.boolean().nullable(),
    installed_kernels: z.array(
      z.strictObject({
        package: z.string(),
        version: z.string(),
        release: z.string(),
        running: z.boolean(),
      }),
    ),
    reboot_state: z.enum(dueStates),
    reboot_reasons: rebootReasonsSchema,
    reboot_unknown: z
      .string()
      .nullable()
      .describe('What is missing to know whether a reboot is needed, in sentences; null if it is known.'),
    booted_at: timestamp.nullable(),
    services_to_restart: servicesToRestartSchema,
    restart_state: z.enum(dueStates),
  })
  .meta({ id: 'KernelPosture' });

export type KernelPosture = z.output<typeof kernelPostureSchema>;
