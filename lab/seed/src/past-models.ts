import type { ModelHost } from '@plimsoll/loadtest';

const vendor = 'AlmaLinux';

/**
 * A model whose distribution publishes in OSV's format. Rocky Linux does not: its machine becomes one of AlmaLinux 9, which
 * builds the same sources. Other models stay as they are.
 */
export function withFeed(model: ModelHost): ModelHost {
  const { snapshot } = model;
  if (snapshot.platform.osId !== 'rocky') return model;
  const platform = {
    ...snapshot.platform,
    osId: 'almalinux',
    osCodename: 'Shamrock Pampas Cat',
    osPrettyName: 'AlmaLinux 9.3 (Shamrock Pampas Cat)',
  };
  const packages = snapshot.packages.map((one) => ({ ...one, vendor }));
  return { name: 'almalinux-9', snapshot: { ...snapshot, platform, packages } };
}
