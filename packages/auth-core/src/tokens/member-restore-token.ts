import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token that restores a member who deleted themselves: the member, and the time of the planned erasure.
 */
export const memberRestoreToken = tokenKind(
  'memberRestore',
  z.object({ userId: idClaim, erasesAtMs: z.int().positive() }),
);
