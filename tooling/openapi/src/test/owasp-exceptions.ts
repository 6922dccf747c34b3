/** A rule of Spectral's OWASP set that does not apply here, with the place and the reason. */
export interface OwaspException {
  readonly rule: string;
  /** The exempt operations, such as `post /login`; all of them when absent. */
  readonly operations?: readonly string[];
  readonly reason: string;
}

export const OWASP_EXCEPTIONS: readonly OwaspException[] = [
  {
    rule: 'owasp:api1:2023-no-numeric-ids',
    operations: [
      'get /getMemberschatMessages',
      'get /getPersonnel/{pId}',
      'get /getAlltAccountMembers/{mId}/{pId}/{searchQuery}',
      'get /getAlltAccountMembers/{mId}/{pId}',
      'get /getAffiliateMarketingURL/{pId}',
      'get /searchUser',
      'get /v1/account/members',
      'get /v1/account/page',
      'get /v1/affiliate/marketingUrl',
      'get /v1/affiliate/referrals',
      'get /v1/audit/list',
      'get /v1/audit/listOwn',
      'get /v1/conversation/messages',
      'get /v1/mail/list',
      'get /v1/member/detail',
      'get /v1/member/export',
      'get /v1/member/page',
      'get /v1/member/search',
      'get /v1/personnel/detail',
      'get /v1/securityEvent/listFor',
      'get /v1/session/listFor',
      'get /v1/webhook/detail',
    ],
    reason:
      'Existing clients know people and accounts by number. Guessing one opens nothing: every id is checked against what the caller may see, and what they may not is as unknown as what is not there.',
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    operations: [
      'get /confirmationDetails',
      'get /v1/registration/confirmationDetails',
      'get /confirm',
      'get /reset',
      'get /email-approval',
      'get /restore',
      'get /invitation',
      'get /v1/invitation/preview',
    ],
    reason:
      'A link in a mail has nowhere else to put its token. It works once, for a short time, is logged nowhere, and following it changes nothing: a POST does.',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    operations: [
      'post /authenticate',
      'post /webauthenticate',
      'post /login',
      'post /desigrauthenticate',
      'post /Adminsignin',
      'post /Adminlogin',
      'post /register',
      'post /confirmationDetails',
      'post /forgotPassword',
      'post /resetPassword',
      'post /confirm',
      'post /forgot',
      'post /reset',
      'post /email-approval',
      'post /restore',
      'post /invitation',
      'post /registration',
      'post /socialAuth',
      'post /social/facebook/dataDeletion',
      'post /partnerAuth/partnerAuthentication',
      'post /v1/portal/settings',
      'post /v1/signIn/password',
      'post /v1/signIn/step',
      'post /v1/signIn/stepEmail',
      'post /v1/signIn/stepOptions',
      'post /v1/signIn/token',
      'post /v1/email/approve',
      'post /v1/invitation/decline',
      'post /v1/invitation/join',
      'post /v1/invitation/preview',
      'post /v1/member/restoreOwn',
      'post /v1/login/bearer',
      'post /v1/login/designer',
      'post /v1/login/oneTimePassword',
      'post /v1/login/plain',
      'post /v1/login/requestOneTimePassword',
      'post /v1/login/web',
      'post /v1/partner/authenticate',
      'post /v1/password/forgot',
      'post /v1/password/reset',
      'post /v1/registration/confirm',
      'post /v1/registration/confirmationDetails',
      'post /v1/registration/register',
    ],
    reason:
      'This is how somebody who has no token gets one, proves an address by a mailed token, or has a signed request answered. A write that is not in this list needs a security scheme.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    reason:
      'RateLimit fields come with 429 and with nothing else, because what is left of a limit would tell a guesser how to pace. The answers with 429 are held to them by a test of their own.',
  },
];
