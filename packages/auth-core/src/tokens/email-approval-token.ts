import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token mailed to the current address when another is to replace it: the member, and since when the change
 * is pending.
 */
export const emailApprovalToken = tokenKind(
  'emailApproval',
  z.object({ userId: idClaim, sinceMs: z.int().positive() }),
);
