import { storableText } from '@gatehouse/auth-core';
import { origin } from '@gatehouse/runtime/config/config-values';
import { z } from 'zod';

/** A moment as callers send it, in ISO 8601 with an offset. In epoch milliseconds once parsed. */
export const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

/** Why staff do something, for the audit log. */
export const reason = storableText(500).refine((text) => text.trim() !== '', {
  message: 'must say something',
});

/** The origin of an API, such as `https://api.example.com`, in one spelling. */
export const resourceOrigin = z
  .string()
  .max(320)
  .transform((value, context) => {
    const read = origin.safeParse(value);
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://api.example.com' });
    return z.NEVER;
  });

/** The form in which codes are unique, so that nobody profits from a code that differs only in spelling. */
export function codeKey(code: string): string {
  return code.toLowerCase();
}
