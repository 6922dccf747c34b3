import { addressSearchKey } from './canonical-address.js';
import { searchKey } from './text-schemas.js';

/** A searched text in the form in which each field is compared. */
export interface SearchWord {
  /** For names. Never empty. */
  readonly nameKey: string;
  /** For addresses. */
  readonly emailKey: string;
  /** For ids; undefined unless the text has digits only. */
  readonly id: number | undefined;
}

/** The whole text as one word; undefined if nothing is left of it. */
export function searchWord(text: string): SearchWord | undefined {
  const nameKey = searchKey(text);
  if (nameKey === '') return undefined;
  return {
    nameKey,
    emailKey: addressSearchKey(text),
    id: /^\d{1,15}$/.test(nameKey) ? Number(nameKey) : undefined,
  };
}

/** The distinct words of a text. The longest come first: they rule out most rows. */
export function searchWords(text: string): SearchWord[] {
  const words = new Map<string, SearchWord>();
  for (const part of text.split(/\s+/u)) {
    const word = searchWord(part);
    if (word) words.set(`${word.nameKey}\n${word.emailKey}`, word);
  }
  return [...words.values()].toSorted((one, other) => other.nameKey.length - one.nameKey.length);
}
