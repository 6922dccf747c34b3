import {
  consentRows,
  flagIn,
  integerIn,
  loginRows,
  pageIn,
  passwordRows,
  type RestRequest,
  type RestRow,
  registrationRows,
  routesOver,
  sessionRows,
  socialRows,
} from '@gatehouse/api-kit';
import { procedures } from './router.js';

const { get, post, read } = routesOver(procedures);

const searchIn = ({ fields }: RestRequest) => ({ search: fields['search'], ...pageIn(fields) });

const accountMembersIn = ({ fields, params }: RestRequest) => ({
  ownerId: integerIn(params['mId']),
  personnelId: integerIn(params['pId']),
  search: params['searchQuery'],
  ...pageIn(fields),
});

/** The whole HTTP surface of the admin service: one row per documented path. */
export const routes: readonly RestRow[] = [
  ...loginRows,
  ...sessionRows,
  ...passwordRows,
  ...registrationRows,
  ...socialRows,
  ...consentRows,
  get('/me', 'session.byAuthToken'),
  post('/addOrUpdatePersonnel', 'personnel.save', ({ fields }) => ({
    personnelId: integerIn(fields['personnelId']),
    email: fields['email'],
    firstName: fields['firstName'],
    lastName: fields['lastName'],
    roleType: integerIn(fields['role_type']),
    accountIds: Array.isArray(fields['accountIds'])
      ? fields['accountIds'].map(integerIn)
      : fields['accountIds'],
    active: flagIn(fields['active']),
  })),
  get('/getPersonnel/:pId', 'personnel.detail', ({ params }) => ({ personnelId: integerIn(params['pId']) })),
  get('/getAllOwnerList', 'member.owners', searchIn),
  read('/getAccountsList', 'account.list', ({ fields }) => pageIn(fields)),
  read('/getAccountNameList', 'account.names', ({ fields }) => ({
    search: fields['searchUser'],
    ...pageIn(fields),
  })),
  get('/getAlltAccountMembers/:mId/:pId/:searchQuery', 'account.members', accountMembersIn),
  get('/getAlltAccountMembers/:mId/:pId', 'account.members', accountMembersIn),
  read('/searchAccountManagers', 'personnel.searchManagers', searchIn),
  read('/searchUser', 'member.search', searchIn),
  read('/searchAccountUser', 'account.search', searchIn),
  post('/updateUser', 'member.update', ({ fields }) => ({
    memberId: integerIn(fields['id']),
    email: fields['email'],
    firstName: fields['fName'],
    lastName: fields['lName'],
    roleType: integerIn(fields['role_type']),
    role: fields['role'],
  })),
  post('/updateProfile', 'profile.update', ({ fields }) => ({
    firstName: fields['firstName'],
    lastName: fields['lastName'],
    username: fields['username'],
  })),
  post('/NewAccManager', 'personnel.promote', ({ fields }) => ({ memberId: integerIn(fields['memberId']) })),
  post('/deleteAccount', 'account.remove', ({ fields }) => ({ accountId: integerIn(fields['accountId']) })),
  post('/deleteUser', 'member.remove', ({ fields }) => ({ memberId: integerIn(fields['userId']) })),
  post('/addOrUpdateAffiliateDetails', 'affiliate.save', ({ fields }) => ({
    affiliateId: integerIn(fields['affiliateId']),
    memberId: integerIn(fields['memberId']),
    code: fields['code'],
    commissionPercent: integerIn(fields['commissionPercent']),
    payoutEmail: fields['payoutEmail'],
    active: flagIn(fields['active']),
  })),
  get('/getAffiliateMarketingURL/:pId', 'affiliate.marketingUrl', ({ params }) => ({
    affiliateId: integerIn(params['pId']),
  })),
  read('/searchAffiliatePeople', 'affiliate.search', searchIn),
  post('/analyzeKnowledge', 'knowledge.analyze', ({ fields }) => ({
    accountId: integerIn(fields['AccountId']),
    languageModelId: fields['languageModelId'],
    topic: fields['topic'],
  })),
];
