import {
  consentRows,
  filledIn,
  integerIn,
  loginRows,
  outboxRows,
  pageIn,
  passwordLoginIn,
  passwordRows,
  type RestRow,
  registrationRows,
  routesOver,
  sessionRows,
  socialRows,
} from '@gatehouse/api-kit';
import { webhookRows } from './billing/receive-webhook.js';
import { confirmPage } from './pages/confirm-page.js';
import { forgotPage } from './pages/forgot-page.js';
import { resetPage } from './pages/reset-page.js';
import { socialPage } from './pages/social-page.js';
import { procedures } from './router.js';
import { socialVisitRows } from './social/social-visit-rows.js';

const { get, post, read } = routesOver(procedures);

/** The whole HTTP surface of the main service: one row per documented path. */
export const routes: readonly RestRow[] = [
  get('/', 'health.bearer'),
  ...loginRows,
  post('/login', 'login.plain', passwordLoginIn, { form: true }),
  post('/desigrauthenticate', 'login.designer', passwordLoginIn, { form: true }),
  post('/Adminsignin', 'login.requestOneTimePassword', ({ fields }) => ({ email: fields['email'] }), {
    form: true,
  }),
  post('/Adminlogin', 'login.oneTimePassword', passwordLoginIn, { form: true }),
  post('/register', 'registration.register', ({ fields }) => ({
    username: fields['username'],
    password: fields['password'],
    email: fields['email'],
    firstName: filledIn(fields['firstName']),
    lastName: filledIn(fields['lastName']),
    accountName: filledIn(fields['accountName']),
  })),
  get('/confirmationDetails', 'registration.confirmationDetails', ({ fields }) => ({
    token: fields['token'],
  })),
  post('/confirmationDetails', 'registration.confirm', ({ fields }) => ({ token: fields['token'] })),
  post('/forgotPassword', 'password.forgot', ({ fields }) => ({ email: fields['email'] })),
  post('/resetPassword', 'password.reset', ({ fields }) => ({
    token: fields['token'],
    password: fields['password'],
  })),
  ...confirmPage,
  ...forgotPage,
  ...resetPage,
  ...socialPage,
  ...outboxRows,
  ...sessionRows,
  ...passwordRows,
  ...registrationRows,
  ...socialRows,
  ...socialVisitRows,
  ...consentRows,
  post('/partnerAuth/partnerAuthentication', 'partner.authenticate', ({ fields }) => ({
    partnerId: fields['partnerId'],
    secretKey: fields['secretKey'],
  })),
  post('/partnerAuth/registerUser', 'partner.registerUser', ({ fields }) => ({
    email: fields['email'],
    firstName: fields['firstName'],
    lastName: fields['lastName'],
    username: fields['username'],
    accountName: fields['accountName'],
  })),
  post('/partnerAuth/singleSignOn', 'partner.singleSignOn', ({ fields }) => ({
    email: fields['email'],
    userId: integerIn(fields['userId']),
  })),
  post('/partnerAuth/partnerSignIn', 'partner.signIn', ({ fields }) => ({
    partner: fields['partner'],
    userData: fields['user_data'],
    redirectUrl: fields['redirect_url'],
  })),
  get('/getAllMemberslist', 'member.list', ({ fields }) => pageIn(fields)),
  post('/searchAllMembers', 'member.search', ({ fields }) => ({
    username: fields['username'],
    ...pageIn(fields),
  })),
  get('/getUserdetail:userid', 'member.detail', ({ params }) => ({ userId: integerIn(params['userid']) })),
  get('/getUserdetail/:userid', 'member.detail', ({ params }) => ({ userId: integerIn(params['userid']) })),
  post('/searchAccountUser', 'account.search', ({ fields }) => ({
    search: fields['search'],
    ...pageIn(fields),
  })),
  get('/getAllConversationlist', 'conversation.list', ({ fields }) => pageIn(fields)),
  read('/getMemberschatMessages', 'conversation.messages', ({ fields }) => ({
    memberId: integerIn(fields['memberId']),
    conversationId: integerIn(fields['conversationId']),
    ...pageIn(fields),
  })),
  post('/RemoveSubject', 'subject.remove', ({ fields }) => ({ subjectId: integerIn(fields['subjectId']) })),
  read('/subscriptionList', 'subscription.list', ({ fields }) => ({
    ...pageIn(fields),
    provider: filledIn(fields['provider']),
  })),
  ...webhookRows,
];
