import { readId } from './audit-filters.js';

/** A match of a search. */
export interface Match {
  readonly id: number;
  /** The names that only this match can have, such as a username; empty if others may have them too. */
  readonly uniqueNames: readonly (string | null)[];
}

/** Finds the matches of a text: all of them, or at least two. */
export type Find = (search: string, signal: AbortSignal) => Promise<readonly Match[]>;

interface Resolved {
  readonly id?: number;
  /** Why the text names nobody; empty where it names somebody, or is empty itself. */
  readonly refusal: '' | 'audit.nobody' | 'audit.several';
}

/** The id that a text means: `#42`, the one match that has exactly this unique name, or the only match. */
export async function resolveName(typed: string, find: Find, signal: AbortSignal): Promise<Resolved> {
  const text = typed.trim();
  if (text === '') return { refusal: '' };
  if (/^#\d+$/.test(text)) {
    const id = readId(text);
    return id === undefined ? { refusal: 'audit.nobody' } : { id, refusal: '' };
  }
  const found = await find(text, signal);
  const named = found.filter(({ uniqueNames }) => uniqueNames.some((name) => isSame(name, text)));
  const [match, other] = named.length > 0 ? named : found;
  if (match === undefined) return { refusal: 'audit.nobody' };
  return other === undefined ? { id: match.id, refusal: '' } : { refusal: 'audit.several' };
}

const isSame = (name: string | null, text: string): boolean => name?.toLowerCase() === text.toLowerCase();
