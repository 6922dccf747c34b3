import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token of an invitation mail: the invitation's id. The invitation's row says which link is valid, and
 * until when.
 */
export const invitationToken = tokenKind('invitation', z.object({ invitationId: idClaim }));
