import { consent } from './consent.js';
import { endLink } from './end-link.js';
import { listMine } from './list-mine.js';

/** A member's own procedures about partners, in both deployments. */
export const consentProcedures = { consent, endLink, listMine };
