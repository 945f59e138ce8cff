import { gzipSync } from 'node:zlib';
import { zstdOf } from '@plimsoll/testing';
import type { StoredContent } from '../content/content-store.ts';
import { type UpdateStyle, updateinfo } from '../content/updateinfo.ts';
import { xzOf } from '../content/xz-file.ts';
import type { LayoutContext, ServedFile } from '../layout.ts';

/** How a publisher makes the index of its repositories (createrepo_c, or an older createrepo). */
export interface RepositoryStyle {
  readonly packedBy: 'gzip' | 'zstd' | 'xz';
  /** The digest in the index; an older createrepo names SHA-1 `sha`. */
  readonly digest: 'sha256' | 'sha';
  /** Whether file names begin with the digest. */
  readonly hasHashedNames: boolean;
}

/** A repository at its address, without a slash at the end; with `updates` null its index names no updateinfo. */
export function repository(
  url: string,
  updates: UpdateStyle | null,
  { style, context }: { readonly style: RepositoryStyle; readonly context: LayoutContext },
): readonly ServedFile[] {
  const { store, volume } = context;
  const primary = place('primary', store.keep([gzipSync('<metadata packages="0"/>')]), {
    ...style,
    packedBy: 'gzip',
  });
  const updated =
    updates === null ? null : place('updateinfo', store.keep([pack(updates, style, volume)]), style);
  const places = [primary, ...(updated === null ? [] : [updated])];
  const index = `<?xml version="1.0" encoding="UTF-8"?>
<repomd xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm">
  <revision>1764000000</revision>
${places.map(({ data }) => data).join('')}</repomd>
`;
  return [
    ...places.map(({ name, content }) => ({ url: `${url}/repodata/${name}`, content })),
    { url: `${url}/repodata/repomd.xml`, content: store.keep([index]) },
  ];
}

function pack(updates: UpdateStyle, { packedBy }: RepositoryStyle, volume: LayoutContext['volume']): Buffer {
  const text = Buffer.from([...updateinfo(updates, volume)].join(''));
  if (packedBy === 'xz') return xzOf(text);
  return packedBy === 'gzip' ? gzipSync(text, { level: 1 }) : zstdOf(text);
}

const endings = { gzip: 'gz', zstd: 'zst', xz: 'xz' } as const;

function place(type: 'primary' | 'updateinfo', content: StoredContent, style: RepositoryStyle) {
  const { packedBy, digest, hasHashedNames } = style;
  const sum = digest === 'sha' ? content.sha1 : content.sha256;
  const name = `${hasHashedNames ? `${sum}-` : ''}${type}.xml.${endings[packedBy]}`;
  const data = `  <data type="${type}">
    <checksum type="${digest}">${sum}</checksum>
    <open-checksum type="${digest}">${'0'.repeat(sum.length)}</open-checksum>
    <location href="repodata/${name}"/>
    <timestamp>1764000000</timestamp>
    <size>${content.bytes}</size>
  </data>
`;
  return { name, content, data };
}
