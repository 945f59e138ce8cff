import type { KernelPosture } from '@plimsoll/contract';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { TextCell } from '../text-cell.tsx';

type InstalledKernel = KernelPosture['installed_kernels'][number];
type Service = KernelPosture['services_to_restart'][number];

/** Columns of the installed kernels. */
export const kernelColumns: readonly Column<InstalledKernel>[] = [
  column('release', 'Release', {
    width: '16rem',
    cell: ({ release }) => <TextCell text={release} mono />,
    sortBy: ({ release }) => release,
  }),
  column('state', 'State', {
    width: '8rem',
    cell: ({ running }) => (running ? <Badge tone="good">Running</Badge> : 'Installed'),
    sortBy: ({ running }) => (running ? 0 : 1),
  }),
  column('version', 'Version', {
    width: '14rem',
    cell: ({ version }) => <TextCell text={version} mono />,
    sortBy: ({ version }) => version,
  }),
  column('package', 'Package', {
    width: '20rem',
    from: 'medium',
    cell: (kernel) => <TextCell text={kernel.package} />,
    sortBy: (kernel) => kernel.package,
  }),
];

/** Columns of the services that run outdated code. */
export const serviceColumns: readonly Column<Service>[] = [
  column('name', 'Service', {
    width: '20rem',
    cell: ({ name }) => <TextCell text={name} />,
    sortBy: ({ name }) => name,
  }),
  column('reason', 'Why', {
    width: '30rem',
    cell: ({ reason }) => <TextCell text={reason === '' ? 'Uses files that were replaced' : reason} />,
  }),
];
