import { origin } from '@gatehouse/runtime/config/config-values';
import { z } from 'zod';

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
