import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/** What brings back a member who deleted themselves: who, and when they would be erased. */
export const memberRestoreToken = tokenKind(
  'memberRestore',
  z.object({ userId: idClaim, erasesAtMs: z.int().positive() }),
);
