import { dueStates } from '@plimsoll/model';
import { z } from 'zod';
import { timestamp } from './field-types.ts';

/** Which kernel runs, which would after a reboot, and what else waits for a restart. */
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
    reboot_reasons: z.array(z.strictObject({ code: z.string(), detail: z.string() })),
    booted_at: timestamp.nullable(),
    services_to_restart: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
    restart_state: z.enum(dueStates),
  })
  .meta({ id: 'KernelPosture' });

/** What `kernelPostureSchema` lets through. */
export type KernelPosture = z.output<typeof kernelPostureSchema>;
