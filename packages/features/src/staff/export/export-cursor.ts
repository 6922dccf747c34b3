import { AppError, type DataCipher, SealedDataRefused } from '@gatehouse/auth-core';
import { z } from 'zod';

/** The position where an export continues. */
export interface ExportPlace {
  readonly section: number;
  readonly afterId: number;
  readonly startedAtMs: number;
}

const shape = z.object({ section: z.int().min(0), afterId: z.int().min(0), startedAtMs: z.int() });

/**
 * An encrypted position. Only the same member can use it, so nobody can begin a second export at an arbitrary
 * position.
 */
export function sealPlace(cipher: DataCipher, memberId: number, place: ExportPlace): string {
  return cipher.seal(JSON.stringify(place), contextOf(memberId));
}

/** @throws {AppError} `invalid_input` for a cursor that was not issued to this member */
export function openPlace(cipher: DataCipher, memberId: number, cursor: string): ExportPlace {
  try {
    return shape.parse(JSON.parse(cipher.open(cursor, contextOf(memberId))));
  } catch (cause) {
    if (!(cause instanceof SealedDataRefused)) throw cause;
    throw new AppError('invalid_input', {
      issues: [{ path: 'cursor', message: 'This cursor is not one of ours' }],
      cause,
    });
  }
}

function contextOf(memberId: number): string {
  return `export:${memberId}`;
}
