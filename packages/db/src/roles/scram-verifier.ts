import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** As many as PostgreSQL itself takes (its `scram_iterations`). */
const iterations = 4096;

/** Why a password cannot be stored so. It does not hold the password. */
const unusablePassword = 'a database password has printable ASCII alone, without spaces';

/**
 * What PostgreSQL stores of a password (SCRAM-SHA-256, RFC 5803): given instead of the password, that is in no statement
 * and so in no log. `password` has printable ASCII alone, which SASLprep leaves as it is.
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
