import { AppError, generatePassword, hashPassword, type Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { type AuditContext, recordAudit } from '@gatehouse/features/audit/record-audit';
import { printTicket, TICKET_HOURS } from '@gatehouse/features/authentication/staff-enrolment';
import { requireGoodPassword } from '@gatehouse/features/registration/change-own-password';
import {
  createPersonnel as create,
  personnelFields,
  requireStaffRole,
} from '@gatehouse/features/staff/create-personnel';
import { defineCommand } from '../define-command.js';
import { operatorAudit } from '../operator-audit.js';
import { readStandardInput } from '../read-list.js';
import { rolesIn, withDatabase } from '../with-database.js';

const USAGE =
  '--email <address> --first-name <name> --last-name <name> --role <number> [--accounts <id,id>] [--password-stdin]';

/** Creates a staff member; the first one can create the others. */
export const createPersonnel = defineCommand({
  name: 'create-personnel',
  summary: 'add a member of staff, the first or any later one; shows the password and a ticket, this once',
  usage: [USAGE],
  options: {
    email: { type: 'string', value: '<address>', about: 'what they sign in with' },
    'first-name': { type: 'string', value: '<name>', about: 'their first name' },
    'last-name': { type: 'string', value: '<name>', about: 'their last name' },
    role: { type: 'string', value: '<number>', about: 'the number of a staff role; 0 is root' },
    accounts: { type: 'string', default: '', value: '<id,id>', about: 'the accounts they look after' },
    'password-stdin': {
      type: 'boolean',
      default: false,
      about: 'read their password from standard input instead of making one',
    },
  },
  async run(context, { values }) {
    const parsed = personnelFields.safeParse({
      email: values.email,
      firstName: values['first-name'],
      lastName: values['last-name'],
      roleType: values.role === undefined ? undefined : Number(values.role),
      accountIds: values.accounts === '' ? [] : values.accounts.split(',').map(Number),
    });
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) context.say(`${path.join('.')}: ${message}`);
      context.say(`usage: gatehouse create-personnel ${USAGE}`);
      return 2;
    }
    const given = values['password-stdin'] ? (await readStandardInput()).replace(/\r?\n$/, '') : undefined;
    const roles = rolesIn(context);
    try {
      requireStaffRole(roles, parsed.data.roleType);
      if (given !== undefined) {
        await requireGoodPassword(given, { email: parsed.data.email, username: '' }, 'password');
      }
      const password = given ?? generatePassword();
      const { id, ticket } = await withDatabase(context, (db) =>
        add(db, operatorAudit(context), roles, { ...parsed.data, password }),
      );
      context.say(`Added ${parsed.data.email}, number ${id}, as ${roles.labelOf(parsed.data.roleType)}.`);
      if (given === undefined) context.say(`The password, shown only now: ${password}`);
      context.say(
        `The ticket for /console/enrol of api-admin, shown only now and valid for ${TICKET_HOURS} hours: ${ticket}`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.say(error.message);
      for (const { path, message } of error.issues ?? []) context.say(`${path}: ${message}`);
      return 1;
    }
  },
});

interface Colleague {
  email: string;
  firstName: string;
  lastName: string;
  roleType: number;
  accountIds: number[];
  password: string;
}

async function add(
  db: Database,
  audit: AuditContext,
  roles: Roles,
  { accountIds, password, ...person }: Colleague,
): Promise<{ id: number; ticket: string }> {
  const passwordHash = await hashPassword(password);
  const nowMs = Date.now();
  return changeAccess(db, {}, async (tx) => {
    const proven = { passwordHash, ownerProvenAtMs: nowMs };
    const personnelId = await create(tx, roles, { ...person, ...proven, accountIds, nowMs });
    await recordAudit(tx, audit, {
      atMs: nowMs,
      action: 'personnel.added',
      actorId: null,
      onBehalfOfId: personnelId,
      subjectKind: 'member',
      subjectId: personnelId,
      after: { ...person, active: true, accountIds },
    });
    const holder = { memberId: personnelId, email: person.email, endsFactors: false };
    return { id: personnelId, ticket: await printTicket(tx, audit, holder) };
  });
}
