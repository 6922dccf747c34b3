import {
  consentRows,
  integerIn,
  loginRows,
  pageIn,
  passwordLoginIn,
  type RestRow,
  routesOver,
  sessionRows,
} from '@gatehouse/api-kit';
import { procedures } from './router.js';

const { get, post } = routesOver(procedures);

/** The whole HTTP surface of the main service: one row per documented path. */
export const routes: readonly RestRow[] = [
  get('/', 'health.bearer'),
  ...loginRows,
  post('/login', 'login.plain', passwordLoginIn, { form: true }),
  post('/desigrauthenticate', 'login.designer', passwordLoginIn, { form: true }),
  ...sessionRows,
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
];
