import { emailKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { findCredential } from '@gatehouse/db/queries/passwords';
import type { AuditContext } from '@gatehouse/features/audit/record-audit';
import { endFactors, printTicket, TICKET_HOURS } from '@gatehouse/features/authentication/staff-enrolment';
import { defineCommand } from '../define-command.js';
import { operatorAudit } from '../operator-audit.js';
import { withDatabase } from '../with-database.js';

/** The way back for staff who lost every factor, the last administrator too. */
export const staffTicket = defineCommand({
  name: 'staff-ticket',
  summary: 'end the factors and sessions of a member of staff, and show a ticket for their next first factor',
  usage: ['--email <address>'],
  options: { email: { type: 'string', value: '<address>', about: 'the address of the member of staff' } },
  async run(context, { values: { email } }) {
    if (email === undefined) {
      context.say('usage: gatehouse staff-ticket --email <address>');
      return 2;
    }
    const ticket = await withDatabase(context, (db) => print(db, operatorAudit(context), email));
    if (ticket === undefined) {
      context.say(`No live member of staff has the address ${email}.`);
      return 1;
    }
    context.say(`Every factor and session of ${email} has ended.`);
    context.say(
      `The ticket for /console/enrol of api-admin, shown only now and valid for ${TICKET_HOURS} hours: ${ticket}`,
    );
    return 0;
  },
});

async function print(db: Database, audit: AuditContext, email: string): Promise<string | undefined> {
  const nowMs = audit.services.now();
  const found = await findCredential(db, emailKey(email));
  if (found === undefined) return undefined;
  return changeAccess(db, { members: [found.id] }, async (tx) => {
    const member = await findCredential(tx, emailKey(email));
    if (member?.id !== found.id || !member.isPersonnel || !isActiveAt(member, nowMs)) return undefined;
    await endFactors(tx, { memberId: member.id, actorId: null, nowMs });
    return printTicket(tx, audit, { memberId: member.id, email, endsFactors: true });
  });
}
