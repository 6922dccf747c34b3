/** How a value of the old database is read: `flag` as 0 or 1, `instant` as milliseconds since 1970, `json` as what it contains. */
export type FieldKind = 'number' | 'text' | 'flag' | 'instant' | 'json';

/** A field of a moved row. */
export interface MovedField {
  readonly as: FieldKind;
  /** The names that a column with it may have, without case and signs; the likeliest first. */
  readonly names: readonly string[];
  /** Whether a table without it cannot be the right one. */
  readonly isNeeded: boolean;
  /** The field of which this one is the label. A label is not read, and is moved back with its field. */
  readonly labels?: string;
}

/** The rows from one table of the old database. */
export interface MovedKind {
  /** The names that its table may have, without case and signs; the likeliest first. */
  readonly tableNames: readonly string[];
  readonly fields: Readonly<Record<string, MovedField>>;
}

const needed = (as: FieldKind, ...names: readonly string[]): MovedField => ({ as, names, isNeeded: true });
const maybe = (as: FieldKind, ...names: readonly string[]): MovedField => ({ as, names, isNeeded: false });
const labelOf = (field: string, ...names: readonly string[]): MovedField => ({
  ...maybe('text', ...names),
  labels: field,
});

const isDeleted = maybe('flag', 'isdeleted', 'deleted');
const active = maybe('flag', 'active', 'isactive');
const createdAt = maybe('instant', 'createdat', 'created', 'createdon', 'createddate', 'datecreated');
const memberId = needed('number', 'memberid', 'userid');
const accountId = needed('number', 'accountid');

/**
 * The kinds of rows that can be moved, in the order in which they are moved: a row refers only to rows of earlier kinds. Names of
 * fields are those of the replaced system's interface, if it has one.
 */
export const MOVED_KINDS = {
  members: {
    tableNames: ['members', 'member', 'users', 'user'],
    fields: {
      id: needed('number', 'id', 'memberid', 'userid'),
      sid: needed('text', 'sid'),
      username: needed('text', 'username'),
      password: maybe('text', 'password'),
      role_type: needed('number', 'roletype'),
      role: labelOf('role_type', 'role', 'rolename', 'rolelabel'),
      firstName: maybe('text', 'firstname', 'fname'),
      lastName: maybe('text', 'lastname', 'lname'),
      email: maybe('text', 'email', 'emailaddress'),
      confirmed: maybe(
        'flag',
        'confirmed',
        'isconfirmed',
        'emailverified',
        'isemailverified',
        'isverified',
        'verified',
        'isactivated',
        'activated',
      ),
      isPersonnel: maybe('flag', 'ispersonnel', 'personnel', 'isstaff'),
      isDeleted,
      defaultPaymentId: maybe('number', 'defaultpaymentid'),
      createdAt,
    },
  },
  accounts: {
    tableNames: ['accounts', 'account'],
    fields: {
      id: needed('number', 'id', 'accountid'),
      name: needed('text', 'name', 'accountname'),
      ownerId: maybe('number', 'ownerid', 'owner', 'ownermemberid'),
      isDeleted,
      createdAt,
    },
  },
  memberships: {
    tableNames: [
      'accountmemberships',
      'accountmembers',
      'memberships',
      'memberaccounts',
      'accountmembership',
    ],
    fields: {
      memberId,
      accountId,
      roleType: needed('number', 'roletype', 'role'),
      role: labelOf('roleType', 'role', 'rolename', 'rolelabel'),
      isDeleted,
      active,
    },
  },
  personnelAccess: {
    tableNames: ['personnelaccountaccess', 'personnelaccounts', 'personnelaccess', 'accountpersonnel'],
    fields: { personnelId: needed('number', 'personnelid'), accountId, isDeleted, active },
  },
  subscriptions: {
    tableNames: ['subscriptions', 'subscription', 'accountsubscriptions'],
    fields: {
      accountId,
      state: needed('text', 'state', 'status', 'subscriptionstatus'),
      trialEndsAt: maybe('instant', 'trialendsat', 'trialend', 'trialenddate', 'trialendat'),
      provider: maybe('text', 'provider', 'paymentprovider', 'defaultpaymentid', 'paymentid'),
      providerCustomerId: maybe('text', 'providercustomerid', 'customerid', 'billingcustomerid'),
      providerSubscriptionId: maybe('text', 'providersubscriptionid', 'subscriptionid'),
    },
  },
  partners: {
    tableNames: ['partners', 'partner', 'partnercredentials', 'partnercredential'],
    fields: {
      name: needed('text', 'partnername'),
      appUrl: needed('text', 'appurl'),
      partnerId: maybe('text', 'partnerid'),
      secretKey: maybe('text', 'secretkey'),
    },
  },
  connections: {
    tableNames: ['socialconnections', 'socialconnection', 'memberproviders', 'connections', 'socialaccounts'],
    fields: {
      memberId,
      provider_Id: needed('number', 'providerid'),
      providerUserId: maybe('text', 'provideruserid', 'socialid', 'profileid', 'socialuserid'),
      accessToken: needed('text', 'accesstoken'),
      refresh_token: maybe('text', 'refreshtoken'),
      token_status: maybe('text', 'tokenstatus'),
      expiresAt: maybe('instant', 'expiresat', 'tokenexpiresat', 'tokenexpiry', 'expiry'),
      FbAccounts: maybe('json', 'fbaccounts'),
      IgAccounts: maybe('json', 'igaccounts'),
      LnAccounts: maybe('json', 'lnaccounts'),
      TwtAccounts: maybe('json', 'twtaccounts'),
      detail: maybe('json', 'detail'),
      createdAt,
    },
  },
  subjects: {
    tableNames: ['subjects', 'subject'],
    fields: {
      id: needed('number', 'id', 'subjectid'),
      accountId,
      name: needed('text', 'name', 'subject', 'title', 'subjectname'),
      isDeleted,
      createdAt,
    },
  },
  conversations: {
    tableNames: ['conversations', 'conversation'],
    fields: {
      id: needed('number', 'id', 'conversationid'),
      accountId,
      subjectId: maybe('number', 'subjectid'),
      title: needed('text', 'title', 'name', 'conversationname'),
      isDeleted,
      createdAt,
    },
  },
  participants: {
    tableNames: ['participants', 'conversationmembers', 'conversationparticipants'],
    fields: { conversationId: needed('number', 'conversationid'), memberId, createdAt },
  },
  messages: {
    tableNames: ['messages', 'chatmessages', 'message', 'conversationmessages'],
    fields: {
      id: needed('number', 'id', 'messageid'),
      conversationId: needed('number', 'conversationid'),
      memberId: needed('number', 'memberid', 'senderid', 'userid'),
      body: needed('text', 'body', 'message', 'text', 'content'),
      createdAt,
    },
  },
  affiliates: {
    tableNames: ['affiliates', 'affiliate', 'affiliatedetails'],
    fields: {
      memberId: needed('number', 'memberid', 'pid', 'userid'),
      code: needed('text', 'code', 'affiliatecode', 'referralcode'),
      commissionPercent: maybe('number', 'commissionpercent', 'commission', 'commissionrate'),
      payoutEmail: maybe('text', 'payoutemail', 'paypalemail'),
      active,
      createdAt,
    },
  },
} as const satisfies Readonly<Record<string, MovedKind>>;

export type MovedKindName = keyof typeof MOVED_KINDS;

/** The names of the kinds, in their order. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object literal are its own
export const MOVED_KIND_NAMES = Object.keys(MOVED_KINDS) as readonly MovedKindName[];

/** The description of a kind. */
export function movedKind(name: MovedKindName): MovedKind {
  return MOVED_KINDS[name];
}
