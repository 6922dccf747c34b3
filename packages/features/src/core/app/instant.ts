import { z } from 'zod';

/** A moment as callers send it, in ISO 8601 with an offset. In epoch milliseconds once parsed. */
export const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));
