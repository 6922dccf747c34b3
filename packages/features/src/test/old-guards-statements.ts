import { type OldStatement, UNAUTHORIZED } from './old-statement.js';

type Row = readonly [method: string, path: string];

/** What the main service answered without any token. */
const OPEN_AT_MAIN: readonly Row[] = [
  ['GET', '/getAllMemberslist'],
  ['GET', '/getAllConversationlist'],
  ['POST', '/searchAllMembers'],
  ['POST', '/searchAccountUser'],
  ['GET', '/getUserdetail3'],
  ['GET', '/getMemberschatMessages'],
  ['POST', '/getMemberschatMessages'],
  ['POST', '/RemoveSubject'],
  ['GET', '/subscriptionList'],
  ['POST', '/subscriptionList'],
];

/** What the admin service answered without any token. */
const OPEN_AT_ADMIN: readonly Row[] = [
  ['POST', '/addOrUpdatePersonnel'],
  ['GET', '/getAllOwnerList'],
  ['GET', '/getPersonnel/2'],
  ['POST', '/updateProfile'],
  ['POST', '/NewAccManager'],
  ['POST', '/deleteAccount'],
  ['POST', '/deleteUser'],
  ['POST', '/addOrUpdateAffiliateDetails'],
  ['GET', '/getAffiliateMarketingURL/1'],
  ['GET', '/searchAffiliatePeople'],
  ['POST', '/analyzeKnowledge'],
  ['GET', '/getAccountNameList'],
  ['GET', '/getAccountsList'],
  ['GET', '/getAlltAccountMembers/3/0/a'],
  ['GET', '/searchAccountManagers'],
  ['POST', '/updateUser'],
  ['GET', '/searchUser'],
  ['GET', '/searchAccountUser'],
];

/** The endpoints of the auth router, which both services have. */
const AUTH_ROUTER: readonly Row[] = [
  ['POST', '/auth/logout'],
  ['GET', '/auth/me'],
  ['POST', '/auth/apiToken'],
  ['GET', '/auth/sessions'],
  ['POST', '/auth/sessions/end'],
  ['POST', '/auth/password'],
  ['POST', '/auth/resendConfirmation'],
  ['GET', '/auth/connections'],
  ['POST', '/auth/connections/start'],
  ['POST', '/auth/connections/finish'],
  ['POST', '/auth/connections/remove'],
];

const answeredOpenly =
  (service: 'ask' | 'askAdmin', name: string) =>
  ([method, path]: Row): OldStatement => ({
    says: `${method} ${path} of the ${name} service answers without any token`,
    differs: 'Every route is guarded',
    ask: (world) => world[service](method, path),
    answers: UNAUTHORIZED,
  });

const needsSession =
  (service: 'ask' | 'askAdmin', name: string) =>
  ([method, path]: Row): OldStatement => ({
    says: `${method} ${path} of the auth router of the ${name} service needs a session`,
    ask: (world) => world[service](method, path),
    answers: UNAUTHORIZED,
  });

/** Which endpoints answer without a token. */
export const GUARD_STATEMENTS: readonly OldStatement[] = [
  ...OPEN_AT_MAIN.map(answeredOpenly('ask', 'main')),
  ...OPEN_AT_ADMIN.map(answeredOpenly('askAdmin', 'admin')),
  ...AUTH_ROUTER.map(needsSession('ask', 'main')),
  ...AUTH_ROUTER.map(needsSession('askAdmin', 'admin')),
];
