import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** PostgreSQL's own default (`scram_iterations`). */
const iterations = 4096;

/** The error for an unusable password. It does not contain the password. */
const unusablePassword = 'a database password may contain only printable ASCII without spaces';

/**
 * The SCRAM-SHA-256 verifier that PostgreSQL stores for a password (RFC 5803). Sending it instead of the password keeps
 * the password out of statements and logs. `password` must be printable ASCII, which SASLprep does not change.
 */
export async function scramVerifier(password: string): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(password)) throw new RangeError(unusablePassword);
  const salt = randomBytes(16);
  const salted = await promisify(pbkdf2)(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
