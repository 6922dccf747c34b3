import type { ErrorCode } from '@gatehouse/auth-core';
import type { z } from 'zod';
import type { Tag } from '../trpc/tags.js';

/** One answer of a raw row. */
export interface RawAnswer {
  readonly description: string;
  /** The type of its body; absent without a body. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
  /** Headers this row always sends, beyond the common ones, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The documents' description of a raw row, which has no procedure with a guard and schemas. */
export interface RawAbout {
  readonly tag: Tag;
  /** The key of its security scheme. */
  readonly security?: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: { readonly types: readonly string[]; readonly schema: z.ZodType };
  /** The answers by status. */
  readonly answers: Readonly<Record<number, RawAnswer>>;
  /** The refusals sent in the error envelope. */
  readonly refuses: readonly ErrorCode[];
}
