import { createRequire } from 'node:module';
import type * as languageCommon from '@zxcvbn-ts/language-common';
import { FEWEST_CHARACTERS, lengthProblem } from './password-characters.js';
import { createWordList, type WordList } from './word-list.js';

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
    'must not be built on the e-mail address',
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
