import { relatedOrigins } from '@gatehouse/features/authentication/passkey/passkey-options';
import { enrolmentAddress } from '@gatehouse/features/authentication/staff/enrolment-address';
import type { Context } from '@gatehouse/features/core/context';
import { consoleIcon, faviconAddress } from '@gatehouse/features/deployment/favicon-address';
import {
  consentRoutes,
  loginRoutes,
  memberRoutes,
  ssoRoutes,
} from '@gatehouse/features/deployment/shared-routes';
import { feedIn } from '@gatehouse/features/event/read-feed';
import {
  changePasswordAddress,
  staffPasswordPage,
} from '@gatehouse/features/registration/change-password-address';
import { forgotAddress } from '@gatehouse/features/registration/staff/forgot-address';
import { pageIn } from '@gatehouse/http/rest/procedure-rows';
import { type RestRequest, type RestRow, raw, routesOver } from '@gatehouse/http/rest/route';
import { procedures } from './router.js';

const { get, post, read } = routesOver(procedures);

const searchIn = ({ fields }: RestRequest) => ({ search: fields['search'], ...pageIn(fields) });

const memberSearchIn = (request: RestRequest) => ({
  state: request.fields['state'],
  partnerId: request.fields['partnerId'],
  roleType: request.fields['role_type'],
  sort: request.fields['sort'],
  ...searchIn(request),
});

const accountSearchIn = (request: RestRequest) => ({
  sort: request.fields['sort'],
  ...searchIn(request),
});

const accountMembersIn = ({ fields, params }: RestRequest) => ({
  ownerId: params['mId'],
  personnelId: params['pId'],
  search: params['searchQuery'],
  ...pageIn(fields),
});

/** A search refuses unknown fields: if a misspelled filter were ignored, it would find everything. */
const SEARCH = { strict: true } as const;

/** All REST routes of the admin service: one row per documented path. */
export const routes: readonly RestRow<Context>[] = [
  raw(['GET'], '/enrol', enrolmentAddress),
  raw(['GET'], '/forgot', forgotAddress),
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
  raw(['GET'], '/favicon.ico', faviconAddress(consoleIcon)),
  raw(['GET'], '/.well-known/change-password', changePasswordAddress(staffPasswordPage)),
  raw(['GET'], '/.well-known/webauthn', relatedOrigins),
  ...loginRoutes,
  ...memberRoutes,
  ...consentRoutes,
  ...ssoRoutes,
  get('/me', 'session.byAuthToken', { summary: 'See whose auth_token this is' }),
  post(
    '/addOrUpdatePersonnel',
    'personnel.save',
    {
      summary: 'Add or change a member of staff',
      refuses: ['not_found', 'email_taken', 'last_administrator', 'rate_limited'],
    },
    ({ fields }) => ({
      personnelId: fields['personnelId'],
      email: fields['email'],
      firstName: fields['firstName'],
      lastName: fields['lastName'],
      roleType: fields['role_type'],
      accountIds: fields['accountIds'],
      active: fields['active'],
    }),
  ),
  get(
    '/getPersonnel/:pId',
    'personnel.detail',
    { summary: 'See a member of staff with their grants', refuses: ['not_found'] },
    ({ params }) => ({ personnelId: params['pId'] }),
  ),
  get('/getAllOwnerList', 'member.owners', { summary: 'List owners with their accounts' }, searchIn, SEARCH),
  read('/getAccountsList', 'account.list', { summary: 'List accounts' }, ({ fields }) => pageIn(fields)),
  read(
    '/getAccountNameList',
    'account.names',
    { summary: 'List the names of accounts' },
    ({ fields }) => ({ search: fields['searchUser'], ...pageIn(fields) }),
    SEARCH,
  ),
  get(
    '/getAlltAccountMembers/:mId/:pId/:searchQuery',
    'account.members',
    { summary: "Search the members of an owner's accounts" },
    accountMembersIn,
    SEARCH,
  ),
  get(
    '/getAlltAccountMembers/:mId/:pId',
    'account.members',
    { summary: "List the members of an owner's accounts" },
    accountMembersIn,
    SEARCH,
  ),
  read(
    '/searchAccountManagers',
    'personnel.searchManagers',
    { summary: 'Search account managers and designers' },
    searchIn,
    SEARCH,
  ),
  read('/searchUser', 'member.search', { summary: 'Search members' }, memberSearchIn, SEARCH),
  read(
    '/searchAccountUser',
    'account.search',
    { summary: 'Search accounts by name or id' },
    accountSearchIn,
    SEARCH,
  ),
  post(
    '/updateUser',
    'member.update',
    {
      summary: 'Change a member',
      refuses: ['not_found', 'email_taken', 'last_administrator', 'verification_required', 'rate_limited'],
    },
    ({ fields }) => ({
      memberId: fields['id'],
      email: fields['email'],
      firstName: fields['fName'],
      lastName: fields['lName'],
      roleType: fields['role_type'],
      role: fields['role'],
    }),
  ),
  post(
    '/updateProfile',
    'profile.update',
    { summary: "Change one's own profile", refuses: ['username_taken', 'rate_limited'] },
    ({ fields }) => ({
      firstName: fields['firstName'],
      lastName: fields['lastName'],
      username: fields['username'],
      locale: fields['locale'],
    }),
  ),
  post(
    '/NewAccManager',
    'personnel.promote',
    { summary: 'Make a member an account manager', refuses: ['not_found', 'last_administrator'] },
    ({ fields }) => ({ memberId: fields['memberId'] }),
  ),
  post(
    '/deleteAccount',
    'account.remove',
    { summary: 'Delete an account', refuses: ['not_found', 'provider_failed'] },
    ({ fields }) => ({ accountId: fields['accountId'] }),
  ),
  post(
    '/deleteUser',
    'member.remove',
    {
      summary: 'Delete a member',
      refuses: ['not_found', 'last_administrator', 'sole_owner', 'provider_failed'],
    },
    ({ fields }) => ({
      memberId: fields['userId'],
      closeAccounts: fields['closeAccounts'],
    }),
  ),
  post(
    '/addOrUpdateAffiliateDetails',
    'affiliate.save',
    { summary: 'Add or change an affiliate', refuses: ['not_found', 'code_taken'] },
    ({ fields }) => ({
      affiliateId: fields['affiliateId'],
      memberId: fields['memberId'],
      code: fields['code'],
      commissionPercent: fields['commissionPercent'],
      payoutEmail: fields['payoutEmail'],
      active: fields['active'],
    }),
  ),
  get(
    '/getAffiliateMarketingURL/:pId',
    'affiliate.marketingUrl',
    { summary: 'See where an affiliate sends people', refuses: ['not_found'] },
    ({ params }) => ({
      affiliateId: params['pId'],
    }),
  ),
  read('/searchAffiliatePeople', 'affiliate.search', { summary: 'Search affiliates' }, searchIn, SEARCH),
  post(
    '/analyzeKnowledge',
    'knowledge.analyze',
    { summary: 'Analyse the conversations of an account', refuses: ['account_forbidden', 'analysis_failed'] },
    ({ fields }) => ({
      accountId: fields['AccountId'],
      languageModelId: fields['languageModelId'],
      topic: fields['topic'],
    }),
  ),
];
