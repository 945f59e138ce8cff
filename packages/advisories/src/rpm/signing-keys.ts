/** Keys with which distributions sign their packages, by the last 16 digits of their ids; from their pages of keys. */
const publishers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AlmaLinux: '51d6647ec21ad6ea 2ae81e8aced7258b d36cb86cb86b3716 dee5c11cc2a1e572',
    'Rocky Enterprise Software Foundation': '15af5dac6d745a60 702d426d350d275d 5b106c736fedfc85',
    'Red Hat, Inc.': '199e2f91fd431d51 5326810137017186',
    CentOS: '24c6a8a7f4a80eb5 05b555b38483c65d 0946fca2c105b9de',
    'Oracle America': '72f97b74ec551f03 82562ea9ad986da3 bc4d06a08d8b756f',
    'Amazon Linux': '11cf1f95c87f5b1a e951904ad832c631',
    'Fedora Project': '6a2faea2352c64e5 21ea45ab2f86d6a1 8a3872bf3228467c',
    'SUSE LLC': '70af9e8139db7c82',
    openSUSE: 'b88b2fd43dbdc284 35a2f86e29b700a4',
  }).flatMap(([vendor, keys]) => keys.split(' ').map((key) => [key, vendor] as const)),
);

/** The vendor whose key this is; null for any other. @param key the id of a signing key, 16 digits or more. */
export function publisherOfKey(key: string): string | null {
  return publishers.get(key.toLowerCase().slice(-16)) ?? null;
}
