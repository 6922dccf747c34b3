import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/** What the present mailbox gets when another address is to take its place: the member, and since when that waits. */
export const emailApprovalToken = tokenKind(
  'emailApproval',
  z.object({ userId: idClaim, sinceMs: z.int().positive() }),
);
