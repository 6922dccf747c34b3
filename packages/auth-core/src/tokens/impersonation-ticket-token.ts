import { z } from 'zod';
import { maxTokenLength } from './max-token-length.js';
import { tokenKind } from './token-kind.js';

/** What opens the session of an impersonation in a browser, once. It carries the token of that session. */
export const impersonationTicketToken = tokenKind(
  'impersonationTicket',
  z.object({ session: z.string().min(1).max(maxTokenLength) }),
);
