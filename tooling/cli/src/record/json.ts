import { z } from 'zod';

/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export const json: z.ZodType<Json> = z.json();

/** The value of a JSON text, or undefined if it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return json.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
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
