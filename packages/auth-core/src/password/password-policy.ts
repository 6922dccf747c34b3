import { createRequire } from 'node:module';
import type * as languageCommon from '@zxcvbn-ts/language-common';
import { z } from 'zod';

/** The fewest code points of a new password, after normalization. */
const FEWEST_CHARACTERS = 8;

/** The most bytes of UTF-8 that bcrypt reads. */
const MAX_BYTES = 72;

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B-4, section 3.1.1.2). Keyboards and systems send the
 * same characters in different forms.
 */
export function normalizePassword(text: string): string {
  return text.normalize('NFKC');
}

/** Whether bcrypt reads all of a normalized text. */
export function fitsBcrypt(normalized: string): boolean {
  return Buffer.byteLength(normalized, 'utf8') <= MAX_BYTES;
}

/** Why the length of a new password is refused, with a sentence to show. Length counts after normalization. */
function lengthProblem(
  password: string,
): { readonly code: 'too_short' | 'too_long'; readonly message: string } | undefined {
  const normalized = normalizePassword(password);
  if (Array.from(normalized).length < FEWEST_CHARACTERS)
    return { code: 'too_short', message: `must be at least ${FEWEST_CHARACTERS} characters long` };
  if (fitsBcrypt(normalized)) return undefined;
  return {
    code: 'too_long',
    message: `must be at most ${MAX_BYTES} bytes long: letters of English take one byte, others two to four`,
  };
}

/** Words to look up. */
interface WordList {
  has(word: string): boolean;
}

/**
 * Keeps words in a tenth of the memory of a Set: those with the same first two characters are the lines of one text.
 * A lookup takes a microsecond or two.
 */
export function createWordList(words: readonly string[]): WordList {
  const lines = new Map<string, string[]>();
  for (const word of words) {
    const beginning = word.slice(0, 2);
    const alike = lines.get(beginning);
    if (alike) alike.push(word);
    else lines.set(beginning, [word]);
  }
  const texts = new Map<string, string>();
  for (const [beginning, alike] of lines) texts.set(beginning, `\n${alike.join('\n')}\n`);
  return {
    has(word) {
      if (word.includes('\n')) return false;
      return texts.get(word.slice(0, 2))?.includes(`\n${word}\n`) ?? false;
    },
  };
}

/** Why a new password is refused, with a sentence to show. */
export interface PasswordIssue {
  readonly code: 'too_short' | 'too_long' | 'common' | 'repetitive' | 'email' | 'username' | 'service_name';
  readonly message: string;
}

const SERVICE_NAME = 'gatehouse';

const REPEATED_UNIT = /^(.{1,4}?)\1+$/u;

const NON_LETTERS_AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;

/**
 * Checks a new password by NIST SP 800-63B-4, section 3.1.1.2: 8 characters to 72 bytes, and not easy to guess; no rule
 * about kinds of characters. It is easy to guess if fewer than 8 characters remain without a common password,
 * the member's address or username, or the service's name. Case and width do not matter. The list of 49,000
 * common passwords ships with the service and loads at the first call, in some 50 ms.
 * @returns the issues found, none for an acceptable password.
 */
export async function passwordPolicy(
  password: string,
  member: { readonly email?: string | null; readonly username?: string | null } = {},
): Promise<PasswordIssue[]> {
  const common = commonPasswords();
  const text = fold(password);
  const issues: PasswordIssue[] = [];
  const refuseIf = (isRefused: boolean, code: PasswordIssue['code'], message: string) => {
    if (isRefused) issues.push({ code, message });
  };
  const length = lengthProblem(password);
  if (length !== undefined) issues.push(length);
  refuseIf(isCommon(text, common), 'common', 'is one of the passwords that are tried first');
  refuseIf(REPEATED_UNIT.test(text), 'repetitive', 'must not repeat the same few characters');
  refuseIf(
    addressWords(member.email).some((word) => isBuiltOn(text, word)),
    'email',
    'must not be built on the email address',
  );
  refuseIf(isBuiltOn(text, fold(member.username ?? '')), 'username', 'must not be built on the username');
  refuseIf(isBuiltOn(text, SERVICE_NAME), 'service_name', "must not be built on the service's name");
  return issues;
}

/** Whether a password is one of those that are tried first, or built on one. */
export async function isListedPassword(password: string): Promise<boolean> {
  return isCommon(fold(password), commonPasswords());
}

function isCommon(text: string, common: WordList): boolean {
  if (common.has(text)) return true;
  const core = text.replaceAll(NON_LETTERS_AROUND, '');
  return common.has(core) && isBuiltOn(text, core);
}

/** Short words occur by chance in good passwords, so they count only as the whole password. */
function isBuiltOn(text: string, word: string): boolean {
  if (word === '') return false;
  if (text === word) return true;
  return word.length >= 4 && text.includes(word) && text.replaceAll(word, '').length < FEWEST_CHARACTERS;
}

function addressWords(email: string | null | undefined): string[] {
  const address = fold(email ?? '');
  const [localPart = ''] = address.split('@');
  return [address, localPart];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

let loaded: WordList | undefined;

function commonPasswords(): WordList {
  loaded ??= createWordList(readPackageOnce().dictionary['passwords-common']);
  return loaded;
}

/** A package that is imported stays in memory with its 49,000 strings; one that is required can be forgotten. */
function readPackageOnce(): typeof languageCommon {
  const require = createRequire(import.meta.url);
  const before = new Set(Object.keys(require.cache));
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the types of the package are those of what is required
  const found: typeof languageCommon = require('@zxcvbn-ts/language-common');
  for (const path of Object.keys(require.cache)) if (!before.has(path)) delete require.cache[path];
  return found;
}

const MALFORMED = /[\0\p{Cs}]/u;

/**
 * A new password: at least 8 characters, and at most 72 bytes of UTF-8 (bcrypt reads no more), both after normalization. Any characters but
 * NUL and lone surrogates. `passwordPolicy` checks whether it is easy to guess.
 */
export const passwordSchema = z
  .string()
  .superRefine((text, context) => {
    const problem = lengthProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.message });
  })
  .refine((text) => !MALFORMED.test(text), { message: 'must not contain NUL or broken Unicode' });

/**
 * A password typed at a login, 1 to 1,024 characters. The rules for new passwords do not apply, because members
 * keep old ones. A password too long for bcrypt does not match.
 */
export const submittedPasswordSchema = z.string().min(1).max(1024);
