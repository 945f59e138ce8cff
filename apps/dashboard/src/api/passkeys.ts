import type {
  NewCredentialAnswer,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@plimsoll/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Whether this browser can use passkeys on this page. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function';
}

/** Lets the browser sign a challenge with a passkey. Rejects with a sentence for the user. */
export async function signWithPasskey(options: PasskeyRequestOptions): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON; // words of WebAuthn
  return inWords(
    async () => (await startAuthentication({ optionsJSON })) as unknown as PasskeyAnswer, // WebAuthn's JSON form
  );
}

/** Lets the browser make a passkey. Rejects with a sentence for the user. */
export async function makePasskey(options: PasskeyCreationOptions): Promise<NewCredentialAnswer> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON; // words of WebAuthn
  return inWords(
    async () => (await startRegistration({ optionsJSON })) as unknown as NewCredentialAnswer, // WebAuthn's JSON form
  );
}

async function inWords<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (error) {
    throw new Error(wordsOf(error instanceof Error ? error.name : ''), { cause: error });
  }
}

function wordsOf(name: string): string {
  if (name === 'NotAllowedError') return 'The browser was stopped, or took too long. Try again.';
  if (name === 'InvalidStateError') return 'This device has a passkey of yours already.';
  return 'The browser could not use a passkey here.';
}
