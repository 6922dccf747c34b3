import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { sessionClaims } from './session-token.js';
import { tokenKind } from './token-kind.js';

/** Who acts for the subject of a token (RFC 8693, section 4.1), and in which impersonation. */
const actClaim = z.object({ userId: idClaim, impersonationId: idClaim });

/**
 * A session in which staff act for a member. It has a kind of its own, so that whatever takes a session does not take
 * this one by mistake, a node of an older release included.
 */
export const impersonationToken = tokenKind('impersonation', sessionClaims.extend({ act: actClaim }));
