import { z } from 'zod';

/** What no argument of a program can hold: it would arrive cut off, or as other characters. */
const UNPASSABLE = /[\0\p{Surrogate}]/u;

/** Text of 1 to `maxLength` UTF-16 units that a program gets exactly as it was sent; lines and tabs are welcome. */
export function argumentText(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !UNPASSABLE.test(text), {
      message: 'must not contain a NUL character or broken Unicode',
    });
}
