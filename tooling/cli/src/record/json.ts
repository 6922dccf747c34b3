import { z } from 'zod';

/** The values of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export const json: z.ZodType<Json> = z.json();

/** How deep lists and objects may be nested. Code that walks a value calls itself for each level. */
const MAX_DEPTH = 200;

/** The value of a JSON text, or undefined if it is not JSON, or deeper than `most`. */
export function parseJson(text: string, most = MAX_DEPTH): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, most) ? undefined : json.safeParse(value).data;
  } catch {
    return undefined;
  }
}

/** The value of a text that begins like JSON, or undefined if it is not JSON. */
export function parseInner(text: string, most?: number): Json | undefined {
  return beginsAsJson(text) ? parseJson(text, most) : undefined;
}

export const beginsAsJson = (text: string): boolean => /^\s*[{["]/.test(text);

/** Walks level by level, because one call per level could be too many. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level
      .flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []))
      .filter((each) => typeof each === 'object' && each !== null);
  }
  return false;
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A value as text; empty for a list, an object or nothing. */
export function textOf(value: Json | undefined): string {
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Whether it is an object with names. */
export function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !isList(value);
}
