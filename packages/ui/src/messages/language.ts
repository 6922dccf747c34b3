import type { Messages } from '@lingui/core';
import { catalogue } from './translate.js';

export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The messages of one language. */
export type LoadMessages = () => Promise<{ readonly messages: Readonly<Record<string, string>> }>;

const KEY = 'gatehouse.language';

/** The source text of messages: names in braces are replaced by values. */
type WrittenMessages = Readonly<Record<Language, Readonly<Record<string, string>>>>;

let overrides: WrittenMessages = { en: {}, de: {} };

/** Replaces some messages, from now on and in every language. */
export function overrideMessages(written: WrittenMessages): void {
  overrides = written;
  const shown = LANGUAGES.find((each) => each === catalogue.locale);
  if (shown === undefined) return;
  catalogue.load(shown, compiled(written[shown]));
  catalogue.activate(shown);
}

/** In the form of the catalog: text, and values by their names. */
function compiled(written: Readonly<Record<string, string>>): Messages {
  return Object.fromEntries(
    Object.entries(written).map(([id, text]) => [
      id,
      text.split(/\{(\w+)\}/).map((part, index): string | [string] => (index % 2 === 1 ? [part] : part)),
    ]),
  );
}

/** The language chosen here before, else the first available language that the browser asks for. */
export function preferredLanguage(): Language {
  const wanted = [storedLanguage(), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? 'en';
}

/** Shows a language from now on, and remembers it for the next visit. */
export async function showLanguage(
  language: Language,
  load: Readonly<Record<Language, LoadMessages>>,
): Promise<void> {
  const { messages } = await load[language]();
  catalogue.load(language, { ...messages, ...compiled(overrides[language]) });
  catalogue.activate(language);
  document.documentElement.lang = language;
}

/** The language of the page. */
export function shownLanguage(): Language {
  return LANGUAGES.find((each) => each === catalogue.locale) ?? LANGUAGES[0];
}

/** Browsers keep a cookie for 400 days at most. */
const YEAR_SECONDS = 31_536_000;

/** Remembers a choice, also for the pages of the service; without storage it lasts as long as the document. */
export function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari 17 and Firefox 120 have no Cookie Store, and the value is one of ours
  document.cookie = `gatehouse-language=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage can be forbidden; the choice is then asked again.
  }
}

function storedLanguage(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function isLanguage(tag: string | undefined): tag is Language {
  return LANGUAGES.some((each) => each === tag);
}

/** The languages, each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };
