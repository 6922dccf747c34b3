import {
  bearerLogin,
  callerOf,
  failed,
  type OldHandlers,
  ok,
  webLogin,
  withToken,
} from './replaced-handling.js';
import type { ReplacedMember, ReplacedRows } from './replaced-rows.js';

const memberOf = (rows: ReplacedRows, id: unknown): ReplacedMember | undefined =>
  rows.members.find((member) => member.id === Number(id) && member.isDeleted === 0);

const matching = (rows: ReplacedRows, search: unknown): ReplacedMember[] => {
  const text = String(search ?? '').toLowerCase();
  return rows.members.filter(({ sid, isDeleted }) => isDeleted === 0 && sid.includes(text));
};

const changed = (member: ReplacedMember | undefined, change: Partial<ReplacedMember>) => {
  if (member === undefined) throw new Error('There is no such member');
  Object.assign(member, change);
  return ok({ data: member });
};

/** Fields that were sent. */
const given = <Fields extends Record<string, unknown>>(fields: Fields): Fields => {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Fields;
};

/** The endpoints of the admin service. */
export const ADMIN_HANDLERS: OldHandlers = {
  '/authenticate': bearerLogin,
  '/webauthenticate': webLogin,
  '/me': ({ rows, headers }) => {
    const member = rows.members.find(
      ({ auth_token }) => auth_token !== null && auth_token === headers.authorization,
    );
    return member === undefined ? { status: 401, text: 'unauthorized access' } : ok({ data: member });
  },
  // With a body, it sends no answer.
  '/addOrUpdatePersonnel': ({ body }) => (Object.keys(body).length > 0 ? 'never' : failed(500, 'No body')),
  '/getAllOwnerList': ({ rows }) => ok({ data: rows.members.filter(({ role_type }) => role_type === 1) }),
  '/getPersonnel/:pId': ({ rows, params }) => {
    const member = memberOf(rows, params['pId']);
    const grants = rows.personnel_accounts.filter(({ personnelId }) => personnelId === member?.id);
    return ok({
      data: { ...member, grants: grants.map(({ accountId, active }) => ({ accountId, active })) },
    });
  },
  '/updateProfile': (context) => {
    const { firstName, lastName } = context.body;
    return changed(callerOf(context), given({ firstName, lastName }) as Partial<ReplacedMember>);
  },
  '/NewAccManager': ({ rows, body }) =>
    changed(memberOf(rows, body['memberId']), { role_type: 6, role: 'Account Manager' }),
  '/deleteAccount': ({ rows, body }) => {
    for (const account of rows.accounts) if (account.id === Number(body['accountId'])) account.isDeleted = 1;
    return ok();
  },
  '/deleteUser': ({ rows, body }) => {
    const member = memberOf(rows, body['userId']);
    if (member !== undefined) member.isDeleted = 1;
    return ok();
  },
  '/updateUser': ({ rows, body }) => {
    const { id, email, fName, lName, role_type, role } = body;
    const change = given({ sid: email, firstName: fName, lastName: lName, role_type, role });
    return changed(memberOf(rows, id), change as Partial<ReplacedMember>);
  },
  '/addOrUpdateAffiliateDetails': ({ rows, body }) => {
    const { memberId, code, commissionPercent } = body;
    rows.affiliates.push({
      memberId: Number(memberId),
      affiliateCode: String(code),
      commission: Number(commissionPercent),
    });
    return ok();
  },
  '/getAffiliateMarketingURL/:pId': ({ rows, params, options }) => {
    const found = rows.affiliates.find(({ memberId }) => memberId === Number(params['pId']));
    return ok({ url: `${options.appUrl}/register?ref=${found?.affiliateCode}` });
  },
  '/searchAffiliatePeople': ({ rows, body }) => {
    const found = rows.affiliates.filter(({ affiliateCode }) =>
      affiliateCode.includes(String(body['search'])),
    );
    return ok({ data: found.map(({ memberId, affiliateCode }) => ({ memberId, code: affiliateCode })) });
  },
  '/analyzeKnowledge': ({ body }) => (body['topic'] === undefined ? failed(500, 'The program failed') : ok()),
  // It sends no answer if the query returns no rows.
  '/getAccountNameList': ({ rows, body }) => {
    const text = String(body['searchUser'] ?? '').toLowerCase();
    const found = rows.accounts.filter(({ name }) => name.toLowerCase().includes(text));
    return found.length === 0 ? 'never' : ok({ data: found.map(({ id, name }) => ({ id, name })) });
  },
  '/getAccountsList': ({ rows }) =>
    ok({ data: rows.accounts.map(({ id, name, isDeleted }) => ({ id, name, isDeleted })) }),
  '/getAlltAccountMembers/:mId/:pId/:searchQuery': ({ rows, params }) => {
    const owned = rows.account_members.filter(
      ({ memberId, roleType }) => memberId === Number(params['mId']) && roleType === 1,
    );
    const ids = new Set(
      rows.account_members
        .filter(({ accountId }) => owned.some((row) => row.accountId === accountId))
        .map(({ memberId }) => memberId),
    );
    const found = rows.members.filter(
      ({ id, firstName }) => ids.has(id) && firstName.includes(params['searchQuery'] ?? ''),
    );
    return ok({ data: found });
  },
  '/searchAccountManagers': ({ rows, body }) =>
    ok({
      data: matching(rows, body['search']).filter(({ role_type }) => role_type === 6 || role_type === 4),
    }),
  '/searchUser': ({ rows, body }) => ok({ data: matching(rows, body['search']) }),
  '/searchAccountUser': ({ rows, body }) => {
    const text = String(body['search']).toLowerCase();
    const found = rows.accounts.filter(({ name }) => name.toLowerCase().includes(text));
    return ok({ data: found.map(({ id, name }) => ({ id, name })) });
  },
  '/auth/me': withToken((_, caller) => ok({ member: { id: caller.id, sid: caller.sid } })),
};
