import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

const architectures = ['x86_64', 'aarch64'];

/** Topics of the extras that have had advisories, by their catalog names; some are not built for ARM. */
const extras = [
  'GraphicsMagick1.3',
  'R3.4',
  'R4',
  'ansible2',
  'aws-nitro-enclaves-cli',
  'corretto8',
  'dnsmasq',
  'docker',
  'ecs',
  'firefox',
  'golang1.19',
  'haproxy2',
  'httpd_modules',
  'java-openjdk11',
  'kernel-5.4',
  'kernel-5.10',
  'kernel-5.15',
  'libreoffice',
  'livepatch',
  'lynis',
  'mariadb10.5',
  'mate-desktop1.x',
  'mono',
  'nginx1',
  'php8.0',
  'php8.1',
  'php8.2',
  'postgresql11',
  'postgresql12',
  'postgresql13',
  'postgresql14',
  'python3.8',
  'redis6',
  'ruby2.6',
  'ruby3.0',
  'selinux-ng',
  'squid4',
  'tomcat8.5',
  'tomcat9',
  'unbound1.13',
  'unbound1.17',
];

function foldersOf(name: string): readonly string[] {
  return architectures.map((architecture) => `${name}/latest/${architecture}`);
}

/**
 * Amazon's repositories, each found through a list of its current locations. Releases 1 and 2022 have none: 1 is only
 * available without encryption, 2022 was a preview.
 */
export const amazonRepositories: readonly RepositoryGroup[] = [
  {
    number: '2',
    baseUrl: 'https://cdn.amazonlinux.com/2',
    folders: foldersOf('core'),
    sparse: extras.flatMap((topic) => foldersOf(`extras/${topic}`)),
    entry: 'mirror.list',
  },
  {
    number: '2023',
    baseUrl: 'https://cdn.amazonlinux.com/al2023',
    folders: foldersOf('core/mirrors'),
    sparse: [...foldersOf('kernel-livepatch/mirrors'), ...foldersOf('nvidia/mirrors')],
    entry: 'mirror.list',
  },
];
