import { isRecord, type Json } from '../record/json.js';
import { type PlayedAnswer, sendPlayed } from '../shadow/send-played.js';
import { PARTNER_SECRET, PLAIN_PASSWORD, REPLACED_PASSWORD, STORED_AUTH_TOKEN } from './replaced-rows.js';

/** How an old client sends requests: it gives up after a while. */
type Ask = (
  method: string,
  target: string,
  request?: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Json;
    /** How long it waits for an answer. */
    readonly patienceMs?: number;
  },
) => Promise<PlayedAnswer | undefined>;

/** What the client knows besides the answers it gets. */
export interface Known {
  /** A hash of `REPLACED_PASSWORD`, as it was stolen. */
  readonly hash: string;
  /** A session of the owner that never ends. */
  readonly endless: string;
}

const PATIENCE_MS = 30_000;

/** For requests that the replaced system never answers. */
const NEVER_MS = 500;

const FORM = 'application/x-www-form-urlencoded';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** All secrets that the clients use, one a line of `--secrets`. */
export const clientSecrets = ({ hash, endless }: Known): string[] => [
  REPLACED_PASSWORD,
  PLAIN_PASSWORD,
  PARTNER_SECRET,
  STORED_AUTH_TOKEN,
  'wrong wrong',
  'short',
  'Quiet-Meadow-71',
  'Long-Before-'.repeat(7),
  'bad',
  'AUTUMN',
  hash,
  endless,
];

/** A client of the services at `url`. */
function clientOf(url: string): Ask {
  return (method, target, { headers = {}, body, patienceMs = PATIENCE_MS } = {}) => {
    const isJson = body !== undefined && typeof body !== 'string';
    const sent = { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers };
    const text = isJson ? JSON.stringify(body) : body;
    return sendPlayed(new URL(url), { method, target, headers: sent, body: text }, patienceMs);
  };
}

const fieldOf = (answer: PlayedAnswer | undefined, name: string): string => {
  const value = isRecord(answer?.body) ? answer.body[name] : undefined;
  return typeof value === 'string' ? value : '';
};

async function signIn(ask: Ask, email: string): Promise<string> {
  return fieldOf(
    await ask('POST', '/webauthenticate', { body: { email, password: REPLACED_PASSWORD } }),
    'token',
  );
}

/** Calls every endpoint of the main service, and meets all that changed. */
export async function useMainService(url: string, { hash, endless }: Known): Promise<void> {
  const ask = clientOf(url);
  const email = 'owner@old.test';
  const login = { email, password: REPLACED_PASSWORD };

  // The ways to sign in.
  const bearer = fieldOf(await ask('POST', '/authenticate', { body: login }), 'token');
  const token = await signIn(ask, email);
  const asOwner = { Token: token, Accountid: '1' };
  await ask('POST', '/webauthenticate', { body: login, headers: { Apptype: base64('web') } });
  await ask('POST', '/webauthenticate', { body: login, headers: { Apptype: base64('designer') } });
  await ask('POST', '/webauthenticate', { body: login, headers: { Apptype: '!!' } });
  await ask('POST', '/webauthenticate', { body: { sid: email, password: REPLACED_PASSWORD } });
  await ask('POST', '/webauthenticate', { body: { email, password: 'wrong wrong' } });
  await ask('POST', '/webauthenticate', { body: { email, password: hash } });
  await ask('POST', '/webauthenticate', { body: { email, social: true } });
  await ask('POST', '/webauthenticate', { body: { tempLogin: true, token } });
  await ask('POST', '/webauthenticate', { body: { tempLogin: true, token: 'bad' } });
  await ask('POST', '/webauthenticate', { body: { email: 'birch@old.test', password: REPLACED_PASSWORD } });
  await ask('POST', '/webauthenticate', {
    body: { email: 'archived@old.test', password: REPLACED_PASSWORD },
  });
  await ask('POST', '/authenticate', { body: { email } });
  await ask('POST', '/login', { body: { email: 'plain@old.test', password: PLAIN_PASSWORD } });
  await ask('POST', '/login', { body: login });
  await ask('POST', '/login', { body: { email, password: hash } });
  await ask('POST', '/login', {
    headers: { 'content-type': FORM, origin: 'https://evil.example' },
    body: `email=plain%40old.test&password=${PLAIN_PASSWORD}`,
  });
  await ask('POST', '/login', {
    body: { email: 'plain@old.test', password: PLAIN_PASSWORD, more: ['x '.repeat(55_000)] },
  });
  await ask('POST', '/desigrauthenticate', {
    body: { email: 'designer@old.test', password: REPLACED_PASSWORD },
  });
  await ask('POST', '/Adminsignin', { body: { email: 'root@old.test' } });
  await ask('POST', '/Adminlogin', { body: { email: 'root@old.test', password: 'wrong wrong' } });

  // Sessions.
  await ask('GET', '/');
  await ask('GET', '/', { headers: { accept: 'text/html' } });
  await ask('GET', '/', { headers: { authorization: `Bearer ${bearer}` } });
  await ask('GET', '/', { headers: { authorization: 'Bearer bad' } });
  await ask('GET', '/auth/me', { headers: { Token: token } });
  await ask('GET', '/auth/me', { headers: { authorization: `Bearer ${bearer}` } });
  await ask('GET', '/auth/me', { headers: { Token: 'bad' } });
  await ask('GET', '/auth/me', { headers: { Token: endless } });

  // Content.
  for (const headers of [asOwner, { Token: token }, { Token: token, Accountid: '3' }, {}])
    await ask('GET', '/getAllMemberslist', { headers });
  await ask('POST', '/searchAllMembers', { headers: asOwner, body: { username: 'manager' } });
  await ask('POST', '/searchAccountUser', { headers: { Token: token }, body: { search: 'acme' } });
  for (const path of ['/getUserdetail4', '/getUserdetail/4', '/getUserdetail10'])
    await ask('GET', path, { headers: asOwner });
  await ask('GET', '/getUserdetail999999', { headers: asOwner, patienceMs: NEVER_MS });
  await ask('GET', '/getAllConversationlist', { headers: asOwner });
  for (const method of ['GET', 'POST'])
    await ask(method, '/getMemberschatMessages', {
      headers: asOwner,
      body: { memberId: 3, conversationId: 1 },
    });
  for (const method of ['GET', 'POST']) await ask(method, '/subscriptionList', { headers: asOwner });
  await ask('POST', '/RemoveSubject', { headers: asOwner, body: { subjectId: 1 } });
  await ask('GET', '/RemoveSubject', { headers: asOwner });

  // Providers.
  for (const provider of ['google', 'github', 'facebook', 'linkedin', 'twitter', 'tiktok'])
    await ask('GET', `/social/${provider}`);
  await ask('GET', '/social/google/callback?code=x&state=y');
  await ask('POST', '/social/facebook/dataDeletion', {
    headers: { 'content-type': FORM },
    body: 'signed_request=a.b',
  });
  for (const path of ['/stripe', '/paddle_sandbox', '/paddle_production', '/paddle_Admin'])
    await ask('POST', `${path}_webhooks`, { body: { type: 'none' } });

  // Partners.
  const credentials = { partnerId: '4711', secretKey: PARTNER_SECRET };
  const partner = fieldOf(
    await ask('POST', '/partnerAuth/partnerAuthentication', { body: credentials }),
    'token',
  );
  await ask('POST', '/partnerAuth/partnerAuthentication', { body: { ...credentials, secretKey: 'bad' } });
  const asPartner = { authorization: `Bearer ${partner}` };
  const registered = await ask('POST', '/partnerAuth/registerUser', {
    headers: asPartner,
    body: { email: 'ada@nordwind.test', firstName: 'Ada', lastName: 'Byron' },
  });
  const [, loginToken = ''] = /token=(.+)$/.exec(fieldOf(registered, 'loginUrl')) ?? [];
  await ask('GET', '/auth/me', { headers: { Token: loginToken } });
  await ask('POST', '/partnerAuth/singleSignOn', {
    headers: asPartner,
    body: { email: 'ada@nordwind.test' },
  });
  await ask('POST', '/partnerAuth/singleSignOn', { headers: asPartner, body: { email } });
  await ask('POST', '/partnerAuth/singleSignOn', { body: { email } });
  const goOver = { partner: 'nordwind', user_data: { plan: 'pro' } };
  await ask('POST', '/partnerAuth/partnerSignIn', { headers: { Token: token }, body: goOver });
  await ask('POST', '/partnerAuth/partnerSignIn', { body: goOver });
  await ask('POST', '/partnerAuth/partnerSignIn', {
    headers: { Token: token },
    body: { ...goOver, redirect_url: 'https://evil.example/' },
  });

  // Registration.
  const person = { username: 'new.person', email: 'new.person@old.test', password: 'Quiet-Meadow-71' };
  await ask('POST', '/register', { body: person });
  await ask('POST', '/register', { body: { ...person, email: 'another@old.test' } });
  await ask('POST', '/register', {
    body: { username: 'second', email: 'second@old.test', password: 'short' },
  });
  await ask('POST', '/register', {
    body: { username: 'third', email: 'third@old.test', password: 'Long-Before-'.repeat(7) },
  });
  await ask('GET', '/confirmationDetails?token=bad');

  // Ending sessions, and requests without an answer.
  await ask('POST', '/auth/logout', { headers: { authorization: `Bearer ${bearer}` } });
  await ask('GET', '/', { headers: { authorization: `Bearer ${bearer}` } });
  await ask('POST', '/auth/logout', { headers: { Token: token } });
  await ask('GET', '/auth/me', { headers: { Token: token } });
  for (let tries = 0; tries < 21; tries += 1)
    await ask('POST', '/webauthenticate', { body: { email: 'crowd20@old.test', password: 'wrong wrong' } });
}

/** Calls every endpoint of the admin service, and meets all that changed. */
export async function useAdminService(url: string): Promise<void> {
  const ask = clientOf(url);
  const asRoot = { Token: await signIn(ask, 'root@old.test') };
  const asStaff = { Token: await signIn(ask, 'staff@old.test'), Accountid: '2' };
  await ask('POST', '/authenticate', { body: { email: 'root@old.test', password: REPLACED_PASSWORD } });
  await ask('POST', '/webauthenticate', { body: { email: 'owner@old.test', password: REPLACED_PASSWORD } });
  await ask('GET', '/me', { headers: { authorization: STORED_AUTH_TOKEN } });
  await ask('GET', '/auth/me', { headers: asRoot });

  await ask('GET', '/getAllOwnerList', { headers: asRoot });
  await ask('GET', '/getAllOwnerList');
  await ask('GET', '/getPersonnel/2', { headers: asRoot });
  const search = { searchUser: 'nobody of this name' };
  await ask('POST', '/getAccountNameList', { headers: asRoot, body: { searchUser: 'birch' } });
  await ask('POST', '/getAccountNameList', { headers: asRoot, body: search, patienceMs: NEVER_MS });
  await ask('GET', '/getAccountsList', { headers: asRoot });
  await ask('GET', '/getAlltAccountMembers/3/0/manager', { headers: asRoot });
  await ask('POST', '/searchAccountManagers', { headers: asRoot, body: { search: 'staff' } });
  await ask('POST', '/searchUser', { headers: asRoot, body: { search: 'cedar@old.test' } });
  await ask('POST', '/searchAccountUser', { headers: asRoot, body: { search: 'cedar' } });
  await ask('POST', '/searchAffiliatePeople', { headers: asRoot, body: { search: 'SPRING' } });
  await ask('GET', '/getAffiliateMarketingURL/4', { headers: asRoot });

  await ask('POST', '/updateUser', { headers: asRoot, body: { id: 5, fName: 'Cora' } });
  await ask('POST', '/updateUser', { headers: asRoot, body: { id: 5, email: 'cora@old.test' } });
  await ask('POST', '/updateUser', { headers: asStaff, body: { id: 8, role_type: 0 } });
  await ask('POST', '/updateProfile', { headers: asRoot, body: { firstName: 'Rosa' } });
  await ask('POST', '/NewAccManager', { headers: asRoot, body: { memberId: 6 } });
  await ask('POST', '/addOrUpdatePersonnel', {
    headers: asRoot,
    body: { personnelId: 2, role_type: 6, active: true, accountIds: [2] },
    patienceMs: NEVER_MS,
  });
  await ask('POST', '/addOrUpdateAffiliateDetails', {
    headers: asRoot,
    body: { memberId: 7, code: 'AUTUMN', commissionPercent: 7.5, payoutEmail: 'pay@old.test' },
  });
  const analysis = { AccountId: 1, languageModelId: 'model-7', topic: 'late parcels' };
  await ask('POST', '/analyzeKnowledge', { headers: asRoot, body: analysis });
  await ask('POST', '/analyzeKnowledge', {
    headers: asRoot,
    body: { ...analysis, topic: 'x '.repeat(1_001) },
  });
  await ask('POST', '/deleteAccount', { headers: asRoot, body: { accountId: 3 } });
  await ask('POST', '/deleteUser', { headers: asRoot, body: { userId: 2 } });
  await ask('GET', '/getPersonnel/1', { headers: asStaff });
}
