import { dictionary } from '@zxcvbn-ts/language-common';

/** The owner of the password; empty if the user is not known. */
export interface PasswordOwner {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** The most common words in passwords. */
const firstWords = ['plimsoll', 'password', 'passwort', 'passphrase', 'administrator', 'admin', 'welcome'];
const moreFirstWords = ['changeme', 'letmein', 'qwerty', 'qwertz', 'secret', 'login', 'root', 'user', 'test'];

/** At most this many digits and signs next to such words count as a date or decoration. */
const mostDecoration = 8;

/** Longer passwords are in no list of common passwords. */
const longestCommon = 48;

/** Keyboard rows, checked in both directions. */
const keyRows = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
];

/**
 * Returns why a password of sufficient length is still easy to guess, or null: a repetition, a sequence of the
 * alphabet or the keyboard, one of the most common passwords, or only the owner's name, e-mail address, the product's
 * name and words like "password". Ignores case, digits around the text, and digits in place of letters. Use it only
 * for new passwords, never for sign-in.
 */
export function commonPasswordFault(password: string, owner: PasswordOwner): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (text.length > longestCommon) return null;
  const undecorated = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const core = text.length - undecorated.length <= mostDecoration ? undecorated : text;
  const forms = [text, core, withLetters(text), withLetters(core)];
  if (isRepetition(text) || (core.length >= 8 && isRepetition(core))) {
    return 'must not repeat the same few characters';
  }
  if (isSequence(text)) return 'must not be a sequence of letters, digits or keys';
  if (forms.some((form) => commonPasswords().has(form)))
    return 'must not be one of the most common passwords';
  if (forms.some((form) => isMadeOf(form, wordsOf(owner)))) {
    return 'must not be made of your name, your e-mail address, "Plimsoll" or words like "password" alone';
  }
  return null;
}

let common: ReadonlySet<string> | null = null;

/** Loaded on first use, because most processes never set a password. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(dictionary['passwords-common']);
  return common;
}

const letterOfSign: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};

function withLetters(text: string): string {
  return text.replace(/[@431!05$7]/g, (sign) => letterOfSign[sign] ?? sign);
}

/** Whether a text consists of one repeated part, at most half its length. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

/**
 * Whether a text consists of runs with an average length of three characters or more: `aaaa`, `4567`, `dcba`, `asdf`.
 */
function isSequence(text: string): boolean {
  const characters = [...text];
  let runs = 0;
  for (let from = 0; from < characters.length; runs++) from += runLength(characters.slice(from));
  return runs * 3 <= characters.length;
}

function runLength(characters: readonly string[]): number {
  const follows = [isSame, isNext, isBefore, isNextKey, isKeyBefore].map((step) => {
    const end = characters.findIndex((character, n) => n > 0 && !step(characters[n - 1] ?? '', character));
    return end < 0 ? characters.length : end;
  });
  return Math.max(...follows);
}

const isSame = (a: string, b: string): boolean => a === b;
const isNext = (a: string, b: string): boolean =>
  (a.codePointAt(0) ?? 0) + 1 === b.codePointAt(0) || (a === '9' && b === '0');
const isBefore = (a: string, b: string): boolean => isNext(b, a);
const isNextKey = (a: string, b: string): boolean => keyRows.some((row) => row.includes(a + b));
const isKeyBefore = (a: string, b: string): boolean => isNextKey(b, a);

/** Whether only decoration is left of a text after the words are removed. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const left = words.reduce((rest, word) => rest.replaceAll(word, ' '), text);
  return !/\p{L}/u.test(left) && left.replaceAll(' ', '').length <= mostDecoration && left !== text;
}

/** Longest first, so that no word hides part of a longer one. */
function wordsOf({ email = '', name = '' }: PasswordOwner): readonly string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const own = [email, local, domain, name].map((word) => word.normalize('NFKC').toLowerCase());
  const parts = own.flatMap((word) => [
    word,
    word.replace(/[^\p{L}\p{N}]/gu, ''),
    ...word.split(/[^\p{L}\p{N}]+/u),
  ]);
  const words = new Set([...firstWords, ...moreFirstWords, ...parts.filter((word) => word.length >= 3)]);
  return [...words].sort((a, b) => b.length - a.length);
}
