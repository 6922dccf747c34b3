import { z } from 'zod';

/** Characters that an argument of a program cannot contain: it would arrive cut off or changed. */
const UNPASSABLE = /[\0\p{Surrogate}]/u;

/**
 * Text of 1 to `maxLength` UTF-16 units that a program gets exactly as sent. Line breaks and tabs are
 * allowed.
 */
export function argumentText(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !UNPASSABLE.test(text), {
      message: 'must not contain a NUL character or broken Unicode',
    });
}
