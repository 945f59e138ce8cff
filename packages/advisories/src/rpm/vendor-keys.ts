/**
 * Ids of the keys that sign packages of vendors, by the first word of the vendor's name: a vendor that changes its key leaves
 * some packages with the other. From https://github.com/rpm-software-management/distribution-gpg-keys; of Fedora all since 36, as
 * what was not rebuilt keeps the key of its release, and EPEL's.
 */
const keysByVendor: Readonly<Record<string, string>> = {
  almalinux: '488fcf7c3abb34f8 51d6647ec21ad6ea 2ae81e8aced7258b d36cb86cb86b3716 dee5c11cc2a1e572',
  amazon: '11cf1f95c87f5b1a e951904ad832c631',
  centos: 'a8a447dce8562897 0946fca2c105b9de 24c6a8a7f4a80eb5 6c7cb6ef305d49d6 05b555b38483c65d',
  fedora: `999f7cbf38ab71f4 f55ad3fb5323552a 809a8d7ceb10b464 75cf5ac418b8e74c 0727707ea15b79cc d0622462e99d6ad1 c8ac4916105ef944
    829b606631645531 dbfcf71c6d9f90a6 655a4b02f577861e 96e7e91491211fce 09d879e09488fb64
    119cc036217521f6 3b49df2a0608b895 6a2faea2352c64e5 21ea45ab2f86d6a1 8a3872bf3228467c 33d98517e37ed158`,
  opensuse: 'b88b2fd43dbdc284 35a2f86e29b700a4 9c214d4065176565 8a49eb0325db7ae0 488c583d287a0027',
  oracle: '66ced3de1e5e0159 72f97b74ec551f03 82562ea9ad986da3 bc4d06a08d8b756f a7dd07088b4efbe6',
  red: '5326810137017186 45689c882fa658e0 199e2f91fd431d51 f76f66c3d4082792 5054e4a45a6340b3',
  rocky: '15af5dac6d745a60 702d426d350d275d 5b106c736fedfc85',
  suse: 'e3a5c360307e3d54 70af9e8139db7c82 f74f09bc3fa1d6ce fec28eaf09d9ea69',
};

const keys = new Map(
  Object.entries(keysByVendor).map(([vendor, ids]) => [vendor, new Set(ids.split(/\s+/))]),
);

/** Whether a key is known to sign packages of a vendor. `vendor`: as plainVendor gives it; `key`: its id, lower case. */
export function isKeyOfVendor(vendor: string, key: string): boolean {
  return keys.get(vendor.split(' ', 1)[0] ?? '')?.has(key) === true;
}
