import type { ErrorCode } from '@gatehouse/auth-core';
import type { z } from 'zod';

/** One answer of a raw row. */
export interface RawAnswer {
  readonly description: string;
  /** What its body is; nothing where it has none. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
  /** Headers this row always sends, beyond the common ones, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The documents' description of a raw row, which has no procedure with a guard and schemas. */
export interface RawAbout {
  /** The chapter it stands in. */
  readonly tag: string;
  /** The key of a security scheme that it needs. */
  readonly security?: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: { readonly types: readonly string[]; readonly schema: z.ZodType };
  /** By status. */
  readonly answers: Readonly<Record<number, RawAnswer>>;
  /** The refusals sent in the error envelope. */
  readonly refuses: readonly ErrorCode[];
}
