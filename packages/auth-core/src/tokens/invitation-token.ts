import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/** What an invitation mail carries: which invitation. Which of its links counts, and until when, its row says. */
export const invitationToken = tokenKind('invitation', z.object({ invitationId: idClaim }));
