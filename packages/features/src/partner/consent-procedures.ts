import { flagIn, integerIn, pageIn } from '@gatehouse/http/rest/coerce';
import { type ProcedureRow, routesOver } from '@gatehouse/http/rest/route';
import { consent } from './consent.js';
import { listMine } from './list-mine.js';

/** A member's own procedures about partners, in both deployments. */
export const consentProcedures = { consent, listMine };

const { get, post } = routesOver({ partner: consentProcedures });

/** Their paths in the auth router. */
export const consentRows: readonly ProcedureRow[] = [
  get(
    '/auth/partners',
    'partner.listMine',
    { summary: 'List the partners that may sign one on' },
    ({ fields }) => pageIn(fields),
  ),
  post(
    '/auth/partners/consent',
    'partner.consent',
    { summary: "Let a partner reach all one's accounts", refuses: ['not_found'] },
    ({ fields }) => ({
      partnerId: integerIn(fields['partnerId']),
      consent: flagIn(fields['consent']),
    }),
  ),
];
