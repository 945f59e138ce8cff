import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { SnapshotSchema } from '@plimsoll/proto';

type Init = MessageInitShape<typeof SnapshotSchema>;

/** Seconds since 1970 in protobuf's form. */
export function protobufTime(at: Date) {
  return { seconds: BigInt(Math.floor(at.getTime() / 1000)), nanos: (at.getTime() % 1000) * 1_000_000 };
}

/** An encoded snapshot of a small Debian 12 machine; `changes` replace whole fields. */
export function sampleSnapshot(changes: Partial<Init> = {}): Uint8Array {
  const packages = [
    {
      name: 'bash',
      architecture: 'amd64',
      version: '5.2.15-2+b8',
      sourceName: 'bash',
      sourceVersion: '5.2.15-2',
    },
    {
      name: 'openssh-server',
      architecture: 'amd64',
      version: '1:9.2p1-2+deb12u2',
      sourceName: 'openssh',
      sourceVersion: '1:9.2p1-2+deb12u2',
    },
    {
      name: 'zlib1g',
      architecture: 'amd64',
      version: '1:1.2.13.dfsg-1',
      sourceName: 'zlib',
      sourceVersion: '1:1.2.13.dfsg-1',
    },
  ];
  return toBinary(
    SnapshotSchema,
    create(SnapshotSchema, {
      schemaVersion: 1,
      collectedAt: protobufTime(new Date()),
      collectorVersion: '1.0.0',
      platform: {
        osFamily: 'apt',
        osId: 'debian',
        osVersionId: '12',
        osVersion: '12.8',
        osCodename: 'bookworm',
        architecture: 'amd64',
        hostname: 'web-1.example.org',
        machineId: '0f3a',
      },
      packages,
      packageCount: packages.length,
      ...changes,
    } as Init), // a snapshot consists of its fields
  );
}
