/** The effect of a request to an endpoint of the replaced system. */
export type Effect =
  | 'reads'
  /** It begins a session, without any other change. */
  | 'signs in'
  | 'writes'
  /** It makes rows, with new ids. */
  | 'creates'
  /** It cannot be replayed: its content is valid once, or for a moment. */
  | 'once';

const EFFECTS: Readonly<Record<string, Effect>> = {
  '/': 'reads',
  '/login': 'signs in',
  '/authenticate': 'signs in',
  '/webauthenticate': 'signs in',
  '/desigrauthenticate': 'signs in',
  '/Adminlogin': 'signs in',
  '/Adminsignin': 'writes',
  '/register': 'creates',
  '/confirmationDetails': 'writes',
  '/social/:provider': 'reads',
  '/social/:provider/callback': 'once',
  '/social/facebook/dataDeletion': 'once',
  '/partnerAuth/partnerAuthentication': 'signs in',
  '/partnerAuth/singleSignOn': 'signs in',
  '/partnerAuth/partnerSignIn': 'signs in',
  '/partnerAuth/registerUser': 'creates',
  '/getAllMemberslist': 'reads',
  '/getAllConversationlist': 'reads',
  '/searchAllMembers': 'reads',
  '/searchAccountUser': 'reads',
  '/getUserdetail:userid': 'reads',
  '/getUserdetail/:userid': 'reads',
  '/getMemberschatMessages': 'reads',
  '/subscriptionList': 'reads',
  '/RemoveSubject': 'writes',
  '/stripe_webhooks': 'once',
  '/paddle_sandbox_webhooks': 'once',
  '/paddle_production_webhooks': 'once',
  '/paddle_Admin_webhooks': 'once',
  '/auth/me': 'reads',
  '/auth/logout': 'writes',
  '/me': 'reads',
  '/getAllOwnerList': 'reads',
  '/getPersonnel/:pId': 'reads',
  '/getAccountsList': 'reads',
  '/getAccountNameList': 'reads',
  '/getAlltAccountMembers/:mId/:pId/:searchQuery': 'reads',
  '/searchAccountManagers': 'reads',
  '/searchUser': 'reads',
  '/searchAffiliatePeople': 'reads',
  '/getAffiliateMarketingURL/:pId': 'reads',
  '/addOrUpdatePersonnel': 'creates',
  '/addOrUpdateAffiliateDetails': 'creates',
  '/updateUser': 'writes',
  '/updateProfile': 'writes',
  '/NewAccManager': 'writes',
  '/deleteAccount': 'writes',
  '/deleteUser': 'writes',
  '/analyzeKnowledge': 'writes',
};

const ENDPOINTS = Object.entries(EFFECTS).map(([path, effect]) => ({
  path,
  effect,
  pattern: patternOf(path),
}));

/** The known paths of the replaced system. */
export const KNOWN_PATHS: readonly string[] = ENDPOINTS.map(({ path }) => path);

/** An endpoint of the replaced system. */
export interface OldEndpoint {
  /** As in its documentation. */
  readonly path: string;
  readonly effect: Effect;
}

/** The endpoint at a path, in any case and with or without a trailing slash. An unknown one may write. */
export function oldEndpointAt(path: string): OldEndpoint {
  return ENDPOINTS.find(({ pattern }) => pattern.test(path)) ?? { path, effect: 'writes' };
}

function patternOf(path: string): RegExp {
  const parameters = path === '/getUserdetail:userid' ? '\\d+' : '[^/]+';
  return new RegExp(`^${path.replace(/\/$/, '').replaceAll(/:\w+/g, parameters)}/?$`, 'i');
}
