import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '@plimsoll/testing';

/** A certificate authority for a test, and a key and certificate that it signed for 127.0.0.1. */
export interface PrivateAuthority {
  /** The file of the authority's certificate. */
  readonly file: string;
  readonly server: { readonly key: string; readonly cert: string };
}

/** Makes an authority in `folder`, with openssl. */
export async function makeAuthority(folder: string): Promise<PrivateAuthority> {
  const script = `cd ${folder}
    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj "/CN=Private authority"
    openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj "/CN=127.0.0.1"
    printf 'subjectAltName=IP:127.0.0.1' >names
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile names`;
  const { status, stderr } = await runCommand(['sh', '-ec', script]);
  if (status !== 0) throw new Error(stderr);
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  return { file: path.join(folder, 'ca.pem'), server: { key: read('server.key'), cert: read('server.pem') } };
}
