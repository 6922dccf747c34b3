import { VERSION } from '@gatehouse/auth-core';
import { invitationPage } from '@gatehouse/features/account/invitation-page';
import { restorePage } from '@gatehouse/features/account/restore-page';
import { devicePage } from '@gatehouse/features/application/provider/device-page';
import { interactionPage } from '@gatehouse/features/application/provider/interaction-page';
import { providerEndpoints } from '@gatehouse/features/application/provider/provider-endpoints';
import { jwks } from '@gatehouse/features/authentication/access-token/serve-jwks';
import { relatedOrigins } from '@gatehouse/features/authentication/passkey/passkey-options';
import { recoveryPage } from '@gatehouse/features/authentication/recovery/cancel-recovery';
import { signInPage } from '@gatehouse/features/authentication/sign-in-page';
import { webhookReceiver } from '@gatehouse/features/billing/receive-webhook';
import { returnPage } from '@gatehouse/features/billing/return-page';
import type { Context } from '@gatehouse/features/core/context';
import { devPage } from '@gatehouse/features/deployment/dev-page';
import { faviconAddress, portalIcon } from '@gatehouse/features/deployment/favicon-address';
import { outbox, outboxMail } from '@gatehouse/features/deployment/outbox';
import {
  consentRoutes,
  loginRoutes,
  memberRoutes,
  passwordLoginIn,
  ssoRoutes,
} from '@gatehouse/features/deployment/shared-routes';
import { feedIn } from '@gatehouse/features/event/read-feed';
import { mcpEndpoint } from '@gatehouse/features/mcp/mcp-endpoint';
import { PROTECTED_RESOURCE_PATH, protectedResource } from '@gatehouse/features/mcp/protected-resource';
import { approvalPage } from '@gatehouse/features/registration/approval-page';
import {
  changePasswordAddress,
  memberPasswordPage,
} from '@gatehouse/features/registration/change-password-address';
import { confirmPage } from '@gatehouse/features/registration/confirm-page';
import { forgotPage } from '@gatehouse/features/registration/forgot-page';
import { registerPage } from '@gatehouse/features/registration/register-page';
import { resetPage } from '@gatehouse/features/registration/reset-page';
import { discoveryEndpoints as scimDiscovery } from '@gatehouse/features/scim/discovery-endpoints';
import {
  groupEndpoints,
  searchEndpoint,
  userEndpoints,
} from '@gatehouse/features/scim/provisioning-endpoints';
import { begin as beginSocial } from '@gatehouse/features/social/begin-social-sign-in';
import { conclude as concludeSocial } from '@gatehouse/features/social/conclude-social-sign-in';
import { deleteData, deletionStatus } from '@gatehouse/features/social/data-deletion';
import { socialPage } from '@gatehouse/features/social/social-page';
import { type Tool, toolsOf } from '@gatehouse/http/mcp/tools-of';
import { filledIn, pageIn } from '@gatehouse/http/rest/procedure-rows';
import { type RestRow, raw, routesOver } from '@gatehouse/http/rest/route';
import { SERVICE_NAME } from './identity.js';
import { procedures, router } from './router.js';

const { get, post, read } = routesOver(procedures);

/** All REST routes of the main service: one row per documented path. */
export const routes: readonly RestRow<Context>[] = [
  get(
    '/v1/events',
    'event.list',
    {
      summary: 'Read events in order, and wait for the next',
      refuses: ['invalid_cursor', 'cursor_expired', 'rate_limited'],
    },
    feedIn,
  ),
  get('/', 'health.bearer', { summary: 'Health check for older and native integrations' }),
  ...loginRoutes,
  post(
    '/login',
    'login.plain',
    {
      summary: 'Sign in, the plain way',
      refuses: ['invalid_credentials', 'second_factor_required', 'rate_limited', 'legacy_unavailable'],
    },
    passwordLoginIn,
    { isLogin: true },
  ),
  post(
    '/desigrauthenticate',
    'login.designer',
    {
      summary: 'Sign in a designer',
      refuses: [
        'invalid_credentials',
        'second_factor_required',
        'role_not_allowed',
        'rate_limited',
        'legacy_unavailable',
      ],
    },
    passwordLoginIn,
    { isLogin: true },
  ),
  post(
    '/Adminsignin',
    'login.requestOneTimePassword',
    { summary: 'Ask for a one-time password by mail', refuses: ['rate_limited'] },
    ({ fields }) => ({ email: fields['email'] }),
    { isLogin: true },
  ),
  post(
    '/Adminlogin',
    'login.oneTimePassword',
    {
      summary: 'Sign in with a one-time password',
      refuses: ['invalid_credentials', 'second_factor_required', 'role_not_allowed', 'rate_limited'],
      credentials: ['oneTimePassword', 'emailAndPassword'],
      readsApptype: true,
    },
    passwordLoginIn,
    { isLogin: true },
  ),
  post(
    '/register',
    'registration.register',
    {
      summary: "Register with an account of one's own",
      refuses: ['username_taken', 'email_taken', 'invalid_credentials', 'rate_limited'],
    },
    ({ fields }) => ({
      username: fields['username'],
      password: fields['password'],
      email: fields['email'],
      firstName: filledIn(fields['firstName']),
      lastName: filledIn(fields['lastName']),
      accountName: filledIn(fields['accountName']),
      ref: filledIn(fields['ref']),
      locale: filledIn(fields['locale']),
    }),
  ),
  get(
    '/confirmationDetails',
    'registration.confirmationDetails',
    { summary: 'See what an activation link would confirm', refuses: ['invalid_token'] },
    ({ fields }) => ({
      token: fields['token'],
    }),
  ),
  post(
    '/confirmationDetails',
    'registration.confirm',
    {
      summary: 'Confirm an address',
      refuses: ['invalid_token', 'password_required', 'email_taken', 'invalid_credentials', 'rate_limited'],
      credentials: ['password', 'code'],
    },
    ({ fields }) => ({
      token: fields['token'],
      password: filledIn(fields['password']),
      code: filledIn(fields['code']),
      backupCode: filledIn(fields['backupCode']),
    }),
  ),
  post(
    '/forgotPassword',
    'password.forgot',
    { summary: 'Ask for a password-reset mail', refuses: ['rate_limited'] },
    ({ fields }) => ({ email: fields['email'] }),
  ),
  post(
    '/resetPassword',
    'password.reset',
    { summary: 'Set a new password with the link of a mail', refuses: ['invalid_token', 'sso_required'] },
    ({ fields }) => ({
      token: fields['token'],
      password: fields['password'],
    }),
  ),
  raw(['GET'], '/scim/v2/ServiceProviderConfig', scimDiscovery.config),
  raw(['POST'], '/scim/v2/.search', searchEndpoint),
  raw(['GET'], '/scim/v2/Users', userEndpoints.list),
  raw(['POST'], '/scim/v2/Users', userEndpoints.create),
  raw(['POST'], '/scim/v2/Users/.search', userEndpoints.search),
  raw(['GET'], '/scim/v2/Users/:id', userEndpoints.read),
  raw(['PUT'], '/scim/v2/Users/:id', userEndpoints.replace),
  raw(['PATCH'], '/scim/v2/Users/:id', userEndpoints.patch),
  raw(['DELETE'], '/scim/v2/Users/:id', userEndpoints.remove),
  raw(['GET'], '/scim/v2/Groups', groupEndpoints.list),
  raw(['POST'], '/scim/v2/Groups', groupEndpoints.create),
  raw(['POST'], '/scim/v2/Groups/.search', groupEndpoints.search),
  raw(['GET'], '/scim/v2/Groups/:id', groupEndpoints.read),
  raw(['PUT'], '/scim/v2/Groups/:id', groupEndpoints.replace),
  raw(['PATCH'], '/scim/v2/Groups/:id', groupEndpoints.patch),
  raw(['DELETE'], '/scim/v2/Groups/:id', groupEndpoints.remove),
  raw(['GET'], '/scim/v2/Schemas', scimDiscovery.schemas),
  raw(['GET'], '/scim/v2/Schemas/:id', scimDiscovery.schema),
  raw(['GET'], '/scim/v2/ResourceTypes', scimDiscovery.resourceTypes),
  raw(['GET'], '/scim/v2/ResourceTypes/:id', scimDiscovery.resourceType),
  raw(['GET'], '/.well-known/openid-configuration', providerEndpoints.discovery),
  raw(['GET'], '/.well-known/oauth-authorization-server', providerEndpoints.discovery),
  raw(['GET'], '/oauth/authorize', providerEndpoints.authorize),
  raw(['POST'], '/oauth/authorize', providerEndpoints.authorizeByForm),
  raw(['GET'], '/oauth/authorize/:uid', providerEndpoints.resume),
  raw(['POST'], '/oauth/par', providerEndpoints.par),
  raw(['POST'], '/oauth/device', providerEndpoints.device),
  raw(['GET'], '/device', devicePage.show),
  raw(['POST'], '/device', devicePage.decide),
  raw(['POST'], '/oauth/token', providerEndpoints.token),
  raw(['GET', 'POST'], '/oauth/userinfo', providerEndpoints.userinfo),
  raw(['POST'], '/oauth/revoke', providerEndpoints.revoke),
  raw(['GET'], '/oauth/logout', providerEndpoints.logout),
  raw(['POST'], '/oauth/logout', providerEndpoints.logoutByForm),
  raw(['POST'], '/oauth/logout/confirm', providerEndpoints.confirmLogout),
  raw(['GET'], '/oauth/logout/success', providerEndpoints.afterLogout),
  raw(['GET'], '/interaction/:uid', interactionPage.show),
  raw(['POST'], '/interaction/:uid', interactionPage.agree),
  raw(['POST'], '/interaction/:uid/abort', interactionPage.cancel),
  raw(['GET'], '/email-approval', approvalPage.get),
  raw(['POST'], '/email-approval', approvalPage.post),
  raw(['GET'], '/billing', returnPage),
  raw(['GET'], '/restore', restorePage.get),
  raw(['POST'], '/restore', restorePage.post),
  raw(['GET'], '/confirm', confirmPage.get),
  raw(['POST'], '/confirm', confirmPage.post),
  raw(['GET'], '/forgot', forgotPage.get),
  raw(['POST'], '/forgot', forgotPage.post),
  raw(['GET'], '/invitation', invitationPage.get),
  raw(['POST'], '/invitation', invitationPage.post),
  raw(['GET'], '/recovery', recoveryPage.get),
  raw(['POST'], '/recovery', recoveryPage.post),
  raw(['GET'], '/register', registerPage.get),
  raw(['POST'], '/registration', registerPage.post),
  raw(['GET'], '/reset', resetPage.get),
  raw(['POST'], '/reset', resetPage.post),
  raw(['GET'], '/signIn', signInPage.get),
  raw(['POST'], '/signIn', signInPage.post),
  raw(['GET'], '/signIn.js', signInPage.script),
  raw(['GET'], '/socialAuth', socialPage.get),
  raw(['POST'], '/socialAuth', socialPage.post),
  raw(['GET'], '/favicon.ico', faviconAddress(portalIcon)),
  raw(['GET'], '/.well-known/change-password', changePasswordAddress(memberPasswordPage)),
  raw(['GET'], '/.well-known/webauthn', relatedOrigins),
  raw(['POST'], '/mcp', mcpEndpoint({ name: SERVICE_NAME, version: VERSION }, agentTools)),
  raw(['GET'], PROTECTED_RESOURCE_PATH, protectedResource),
  raw(['GET'], `${PROTECTED_RESOURCE_PATH}/mcp`, protectedResource),
  raw(['GET'], '/oauth/jwks', jwks),
  raw(['POST'], '/oauth/introspect', providerEndpoints.introspect),
  raw(['GET'], '/dev', devPage),
  raw(['GET'], '/dev/outbox', outbox),
  raw(['GET'], '/dev/outbox/:id', outboxMail),
  ...memberRoutes,
  raw(['POST'], '/social/facebook/dataDeletion', deleteData),
  raw(['GET'], '/social/facebook/dataDeletion/:code', deletionStatus),
  ...ssoRoutes,
  raw(['GET'], '/social/:provider', beginSocial),
  raw(['GET'], '/social/:provider/callback', concludeSocial),
  ...consentRoutes,
  post(
    '/partnerAuth/partnerAuthentication',
    'partner.authenticate',
    {
      summary: 'Get the token a partner calls with',
      refuses: ['invalid_credentials', 'rate_limited'],
      credentials: ['partnerSecret'],
      tag: 'partner',
    },
    ({ fields }) => ({
      partnerId: fields['partnerId'],
      secretKey: fields['secretKey'],
    }),
  ),
  post(
    '/partnerAuth/registerUser',
    'partner.registerUser',
    {
      summary: "Register somebody as a member of the partner's",
      refuses: ['username_taken', 'email_taken', 'rate_limited'],
    },
    ({ fields }) => ({
      email: fields['email'],
      firstName: fields['firstName'],
      lastName: fields['lastName'],
      username: fields['username'],
      accountName: fields['accountName'],
    }),
  ),
  post(
    '/partnerAuth/singleSignOn',
    'partner.singleSignOn',
    { summary: "Sign a member of the partner's on", refuses: ['not_found', 'rate_limited'] },
    ({ fields }) => ({
      email: fields['email'],
      userId: fields['userId'],
    }),
  ),
  post(
    '/partnerAuth/partnerSignIn',
    'partner.signIn',
    { summary: 'Go over to a partner', refuses: ['permission_denied', 'not_found', 'rate_limited'] },
    ({ fields }) => ({
      partner: fields['partner'],
      userData: fields['user_data'],
      redirectUrl: fields['redirect_url'],
    }),
  ),
  get(
    '/partnerAuth/events',
    'partnerEvent.list',
    {
      summary: "Read the events of the partner's accounts and members in order, and wait for the next",
      refuses: ['invalid_cursor', 'cursor_expired', 'rate_limited'],
    },
    feedIn,
    { strict: true },
  ),
  post('/partnerAuth/events/listEndpoints', 'partnerEvent.listEndpoints', {
    summary: 'List the endpoints that get the events of the partner',
    refuses: ['rate_limited'],
  }),
  post(
    '/partnerAuth/events/saveEndpoint',
    'partnerEvent.saveEndpoint',
    {
      summary: 'Add or change an endpoint that gets the events of the partner',
      refuses: ['url_not_allowed', 'not_found', 'limit_reached', 'rate_limited'],
    },
    ({ fields }) => ({
      endpointId: fields['endpointId'],
      url: fields['url'],
      types: fields['types'],
      versions: fields['versions'],
      description: fields['description'],
      active: fields['active'],
    }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/removeEndpoint',
    'partnerEvent.removeEndpoint',
    { summary: 'Remove an endpoint of the partner', refuses: ['not_found', 'rate_limited'] },
    ({ fields }) => ({ endpointId: fields['endpointId'] }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/rotateSecret',
    'partnerEvent.rotateSecret',
    { summary: 'Give an endpoint of the partner a new secret', refuses: ['not_found', 'rate_limited'] },
    ({ fields }) => ({ endpointId: fields['endpointId'], overlapHours: fields['overlapHours'] }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/testEndpoint',
    'partnerEvent.testEndpoint',
    { summary: 'Ping an endpoint of the partner now', refuses: ['not_found', 'rate_limited'] },
    ({ fields }) => ({ endpointId: fields['endpointId'] }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/resumeEndpoint',
    'partnerEvent.resumeEndpoint',
    {
      summary: 'Send events to a disabled endpoint of the partner again',
      refuses: ['not_found', 'rate_limited'],
    },
    ({ fields }) => ({ endpointId: fields['endpointId'], from: fields['from'] }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/listDeliveries',
    'partnerEvent.listDeliveries',
    {
      summary: 'List the events that were sent to endpoints of the partner, newest first',
      refuses: ['rate_limited'],
    },
    ({ fields }) => ({
      endpointId: fields['endpointId'],
      state: fields['state'],
      type: fields['type'],
      from: fields['from'],
      to: fields['to'],
      ...pageIn(fields),
    }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/deliveryDetail',
    'partnerEvent.deliveryDetail',
    {
      summary: 'See every attempt to deliver an event to the partner',
      refuses: ['not_found', 'rate_limited'],
    },
    ({ fields }) => ({ deliveryId: fields['deliveryId'] }),
    { strict: true },
  ),
  post(
    '/partnerAuth/events/redeliver',
    'partnerEvent.redeliver',
    { summary: 'Deliver events to the partner again', refuses: ['not_found', 'rate_limited'] },
    ({ fields }) => ({
      ids: fields['ids'],
      endpointId: fields['endpointId'],
      from: fields['from'],
      to: fields['to'],
    }),
    { strict: true },
  ),
  get('/getAllMemberslist', 'member.list', { summary: 'List the members of an account' }, ({ fields }) =>
    pageIn(fields),
  ),
  post('/searchAllMembers', 'member.search', { summary: 'Search members by username' }, ({ fields }) => ({
    username: fields['username'],
    ...pageIn(fields),
  })),
  get(
    '/getUserdetail:userid',
    'member.detail',
    { summary: 'See one member', refuses: ['account_forbidden', 'not_found'] },
    ({ params }) => ({ userId: params['userid'] }),
  ),
  get(
    '/getUserdetail/:userid',
    'member.detail',
    { summary: 'See one member, in the other spelling', refuses: ['account_forbidden', 'not_found'] },
    ({ params }) => ({ userId: params['userid'] }),
  ),
  post(
    '/searchAccountUser',
    'account.search',
    { summary: 'Search the accounts the caller may act in', refuses: ['account_forbidden'] },
    ({ fields }) => ({
      search: fields['search'],
      ...pageIn(fields),
    }),
  ),
  get(
    '/getAllConversationlist',
    'conversation.list',
    { summary: 'List the conversations of an account' },
    ({ fields }) => pageIn(fields),
  ),
  read(
    '/getMemberschatMessages',
    'conversation.messages',
    { summary: 'Read the messages of a conversation', refuses: ['not_found'] },
    ({ fields }) => ({
      memberId: filledIn(fields['memberId']),
      conversationId: fields['conversationId'],
      ...pageIn(fields),
    }),
  ),
  post(
    '/RemoveSubject',
    'subject.remove',
    { summary: 'Remove a subject', refuses: ['not_found'] },
    ({ fields }) => ({ subjectId: fields['subjectId'] }),
  ),
  read(
    '/subscriptionList',
    'subscription.list',
    { summary: 'List the subscriptions of an account', refuses: ['provider_failed'] },
    ({ fields }) => ({
      ...pageIn(fields),
      provider: filledIn(fields['provider']),
    }),
  ),
  raw(['POST'], '/stripe_webhooks', webhookReceiver('stripe_webhooks')),
  raw(['POST'], '/paddle_sandbox_webhooks', webhookReceiver('paddle_sandbox_webhooks')),
  raw(['POST'], '/paddle_production_webhooks', webhookReceiver('paddle_production_webhooks')),
  raw(['POST'], '/paddle_Admin_webhooks', webhookReceiver('paddle_Admin_webhooks')),
];

let tools: ReadonlyMap<string, Tool> | undefined;

/** The procedures that agents may call. Their schemas are read when the first one asks. */
function agentTools(): ReadonlyMap<string, Tool> {
  tools ??= toolsOf(router, routes);
  return tools;
}
