export type { EvidenceFile, EvidenceManifest } from './evidence-manifest.ts';
export {
  checkManifest,
  evidenceFormat,
  manifestName,
  signatureName,
  signManifest,
} from './evidence-manifest.ts';
export { createFile } from './guarded-file.ts';
export type { KeyFilePaths } from './key-files.ts';
export {
  createKeyFiles,
  loadRing,
  readSealingPublicKey,
  replaceRing,
  replaceSealingPublicKey,
  requireInRing,
} from './key-files.ts';
export type { KeyRing } from './key-ring.ts';
export { createKeyRing } from './key-ring.ts';
export { openSealed, seal, sealedKeyId } from './sealed-box.ts';
export type { SealingKey, SealingPublicKey } from './sealing-key.ts';
export { generateSealingKey, sealingKeyOfSecret, sealingPublicKey } from './sealing-key.ts';
export type { SecretsErrorCode } from './secrets-error.ts';
export { SecretsError } from './secrets-error.ts';
export type { SigningKey } from './signing-key.ts';
export {
  generateSigningKey,
  isSignedBy,
  signBytes,
  signingFingerprint,
  signingKeyOf,
} from './signing-key.ts';
