import { randomBytes } from 'node:crypto';
import {
  accountsOf,
  bearerLogin,
  failed,
  isSignedRequest,
  memberBySid,
  type OldContext,
  type OldHandler,
  type OldHandlers,
  ok,
  partnerSigned,
  randomPasswordHash,
  sessionFor,
  webLogin,
  withToken,
} from './replaced-handling.js';
import type { ReplacedMember } from './replaced-rows.js';

/** A member as every answer has it, with the stored password. */
const shown = (member: ReplacedMember) => ({ ...member });

/** Two logins compare the password as plain text. */
const plainComparison =
  (answer: (context: OldContext, member: ReplacedMember) => object): OldHandler =>
  (context) => {
    const member = memberBySid(context.rows, context.body['email']);
    if (member === undefined || member.password !== context.body['password'])
      return failed(200, 'Wrong email or password');
    return ok(answer(context, member));
  };

function membersIn({ rows, accountId }: OldContext): ReplacedMember[] {
  const here = new Set(
    rows.account_members
      .filter((row) => row.isDeleted === 0 && row.accountId === accountId)
      .map(({ memberId }) => memberId),
  );
  return rows.members.filter(({ id, isDeleted }) => isDeleted === 0 && (accountId === null || here.has(id)));
}

const asPartner =
  (handle: (context: OldContext, partnerId: string) => ReturnType<OldHandler>): OldHandler =>
  (context) => {
    const { headers, options, tokens } = context;
    const claims = tokens.verify(headers.authorization, { issuer: options.issuer, audience: 'partner-auth' });
    return claims === undefined
      ? failed(401, 'Unauthorized partner')
      : handle(context, String(claims['partnerId']));
  };

function loginUrl({ rows, tokens }: OldContext, partnerId: string, member: ReplacedMember): string {
  const { appUrl = '' } = rows.partners.find((partner) => partner.partnerId === partnerId) ?? {};
  const payload = {
    userId: member.id,
    role: member.role_type,
    defaultPaymentId: 2,
    accountIds: accountsOf(rows, member.id),
  };
  return `${appUrl}/#login?token=${tokens.seal(payload)}`;
}

function addMember({ rows }: OldContext, fields: Partial<ReplacedMember>): ReplacedMember {
  const id = Math.max(...rows.members.map((member) => member.id)) + 1;
  const member: ReplacedMember = {
    id,
    sid: '',
    username: `member${id}`,
    password: '',
    role_type: 5,
    role: 'User Member',
    firstName: '',
    lastName: '',
    access_token: null,
    auth_token: null,
    isDeleted: 0,
    createdAt: new Date().toISOString(),
    ...fields,
  };
  const accountId = Math.max(...rows.accounts.map((account) => account.id)) + 1;
  rows.members.push(member);
  rows.accounts.push({ id: accountId, name: member.username, isDeleted: 0, createdAt: member.createdAt });
  rows.account_members.push({ memberId: id, accountId, roleType: 1, isDeleted: 0, active: 1 });
  return member;
}

/** The scopes that each provider is asked for. */
const SCOPES: Readonly<Record<string, string>> = {
  google: 'profile email',
  github: 'user:email',
  facebook: 'email,public_profile',
  linkedin: 'openid profile email w_member_social r_organization_social',
  twitter: 'tweet.read users.read offline.access',
  tiktok: 'user.info.basic,video.upload,video.publish',
};

/** The receivers record what they get. */
const webhook: OldHandler = () => ok();

/** The endpoints of the main service. */
export const MAIN_HANDLERS: OldHandlers = {
  '/': ({ headers, tokens }) =>
    tokens.verify(headers.authorization) === undefined ? { status: 403 } : ok({ message: 'It is running' }),
  '/login': plainComparison((_, member) => ({
    data: { ...shown(member), auth_pass: 'constant' },
    access_token: `${member.id}_${Date.now()}_${member.id}`,
  })),
  '/desigrauthenticate': plainComparison(sessionFor),
  '/authenticate': bearerLogin,
  '/webauthenticate': webLogin,
  '/register': (context) => {
    const { rows, body, tokens } = context;
    if (rows.members.some(({ username }) => username === body['username']))
      return failed(409, 'This username is taken');
    const member = addMember(context, {
      sid: String(body['email']),
      username: String(body['username']),
      password: String(body['password']),
    });
    return ok({ token: tokens.seal({ userId: member.id, defaultPaymentId: 2 }) });
  },
  '/Adminsignin': ({ rows, body }) => {
    const member = memberBySid(rows, body['email']);
    if (member !== undefined) member.access_token = randomBytes(3).toString('hex');
    return ok({ message: 'Sent' });
  },
  '/Adminlogin': (context) => {
    const member = memberBySid(context.rows, context.body['email']);
    const isRight =
      typeof member?.access_token === 'string' && member.access_token === context.body['password'];
    return isRight ? ok(sessionFor(context, member)) : failed(200, 'Wrong password');
  },
  '/social/facebook/dataDeletion': ({ body }) =>
    isSignedRequest(String(body['signed_request']), 'app-secret') ? ok() : failed(400, 'Bad signature'),
  '/social/:provider': ({ params, options }) => {
    const { provider = '' } = params;
    const known = options.providers[provider];
    if (known === undefined) return failed(404, 'No such provider');
    const url = new URL(known.authorizeUrl);
    url.searchParams.set(known.clientParameter, known.clientId);
    url.searchParams.set('response_type', 'code');
    url.searchParams.set('scope', SCOPES[provider] ?? '');
    return { status: 302, location: url.href };
  },
  '/social/:provider/callback': ({ options }) => ({
    status: 302,
    location: `${options.appUrl}/socialAuth?user=none`,
  }),
  '/partnerAuth/partnerAuthentication': ({ rows, body, options, tokens }) => {
    const partner = rows.partners.find(({ partnerId }) => partnerId === body['partnerId']);
    if (partner === undefined || partner.secretKey !== body['secretKey']) return failed(401, 'Wrong partner');
    const { partnerId, partnerName } = partner;
    const claims = { partnerId, partnerName, iss: options.issuer, aud: 'partner-auth' };
    return ok({ token: tokens.bearer(claims) });
  },
  '/partnerAuth/registerUser': asPartner(async (context, partnerId) => {
    const member = addMember(context, {
      sid: String(context.body['email']),
      firstName: String(context.body['firstName']),
      password: await randomPasswordHash(),
    });
    return ok({ loginUrl: loginUrl(context, partnerId, member) });
  }),
  '/partnerAuth/singleSignOn': asPartner((context, partnerId) => {
    const member = memberBySid(context.rows, context.body['email']);
    return member === undefined
      ? failed(404, 'No such member')
      : ok({ loginUrl: loginUrl(context, partnerId, member) });
  }),
  '/partnerAuth/partnerSignIn': ({ rows, body }) => {
    const partner = rows.partners.find(({ partnerName }) => partnerName === body['partner']);
    if (partner === undefined) return failed(404, 'No such partner');
    const to = String(body['redirect_url'] ?? `${partner.appUrl}/`);
    const payload = {
      partner: partner.partnerName,
      timestamp: Date.now(),
      user_data: body['user_data'],
      redirect_url: to,
    };
    const url = new URL(to);
    url.searchParams.set('token', partnerSigned(payload, partner.secretKey));
    return ok({ redirectUrl: url.href });
  },
  '/getAllMemberslist': (context) =>
    ok({ data: membersIn(context).map((member) => ({ ...shown(member), auth_pass: 'constant' })) }),
  '/searchAllMembers': (context) => {
    const text = String(context.body['username']).toLowerCase();
    return ok({
      data: membersIn(context)
        .filter(({ username }) => username.includes(text))
        .map(shown),
    });
  },
  '/searchAccountUser': ({ rows, body }) => {
    const text = String(body['search']).toLowerCase();
    const found = rows.accounts.filter(
      ({ name, isDeleted }) => isDeleted === 0 && name.toLowerCase().startsWith(text),
    );
    return ok({ data: found.map(({ id, name, isDeleted }) => ({ id, name, isDeleted })) });
  },
  // It sends no answer if the query returns no rows.
  '/getUserdetail/?:userid': ({ rows, params }) => {
    const member = rows.members.find(
      ({ id, isDeleted }) => id === Number(params['userid']) && isDeleted === 0,
    );
    return member === undefined ? 'never' : ok({ data: shown(member) });
  },
  '/getAllConversationlist': ({ rows, accountId }) =>
    ok({
      data: rows.conversations
        .filter((row) => accountId === null || row.accountId === accountId)
        .map(({ id, title, isDeleted, createdAt }) => ({ id, title, isDeleted, createdAt })),
    }),
  '/getMemberschatMessages': ({ rows, body }) =>
    ok({
      data: rows.messages
        .filter(({ conversationId }) => conversationId === Number(body['conversationId']))
        .map(({ id, memberId, message, createdAt }) => ({ id, memberId, body: message, createdAt })),
    }),
  '/RemoveSubject': () => {
    throw new ReferenceError('userId is not defined');
  },
  '/confirmationDetails': ({ query, tokens }) =>
    tokens.open(query.get('token') ?? '')?.['type'] === 'emailVerification'
      ? ok()
      : failed(403, 'Wrong token'),
  '/subscriptionList': () => ok({ data: [] }),
  '/stripe_webhooks': webhook,
  '/paddle_sandbox_webhooks': webhook,
  '/paddle_production_webhooks': webhook,
  '/paddle_Admin_webhooks': webhook,
  '/auth/me': withToken((_, caller) => ok({ member: { id: caller.id, sid: caller.sid } })),
  '/auth/logout': withToken(({ tokens }, _, token) => {
    tokens.revoke(token);
    return ok();
  }),
};
