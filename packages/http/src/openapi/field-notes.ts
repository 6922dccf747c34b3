import { z } from 'zod';
import type { Schema } from './open-api-types.js';

/** The description of a field in documents, by its name in requests and answers. */
interface FieldNote {
  /** Values from the demonstration data. The first one the field's schema allows is shown. */
  readonly examples: readonly unknown[];
  readonly description?: string;
}

const TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.payload.signature';

/** Fields with the same meaning everywhere. */
export const FIELD_NOTES: Readonly<Record<string, FieldNote>> = {
  AccountId: { examples: [1] },
  access_token: { examples: ['3_1772443800000_3'], description: 'Of the plain form; it opens nothing.' },
  accountId: { examples: [1] },
  accountIds: { examples: [[2]], description: 'All the accounts that are to be granted.' },
  accountName: { examples: ['Acme Studio'] },
  active: { examples: [true] },
  address: { examples: ['192.0.2.7'], description: 'The network address.' },
  affiliateId: { examples: [3], description: 'The id of the member who is the affiliate.' },
  allAccounts: { examples: [false], description: 'Whether every account is theirs to act in.' },
  alreadyConfirmed: { examples: [false] },
  amount: { examples: [29], description: 'In the whole unit of the currency, such as euros.' },
  appUrl: { examples: ['http://127.0.0.1:4010'] },
  blockedClientHosts: { examples: [['agent.example.com']] },
  body: { examples: ['Shall we meet on Monday?'] },
  code: { examples: ['ACME-10'] },
  commissionPercent: { examples: [12.5], description: 'In percent, to the hundredth.' },
  confirmation_code: { examples: ['b1c7d0e4a9f2'] },
  connect: { examples: ['one-use-code'], description: 'The code of the URL that `social.connect` answered.' },
  connectionId: { examples: [1] },
  consented: { examples: [true] },
  conversationId: { examples: [1] },
  currency: { examples: ['EUR'], description: 'By its three letters of ISO 4217.' },
  currentPassword: { examples: ['Lantern-Harbor-42'] },
  cursor: { examples: ['WzUwXQ'], description: 'Where the last page ended: its `nextCursor`.' },
  device: { examples: ['Mozilla/5.0'], description: 'The User-Agent that signed in.' },
  displayName: { examples: ['Olivia Owner'] },
  email: { examples: ['owner@acme.test'] },
  emailVerified: { examples: [true] },
  expiresIn: { examples: [3600], description: 'In seconds.' },
  fName: { examples: ['Olivia'], description: 'The first name.' },
  firstName: { examples: ['Olivia'] },
  host: { examples: ['agent.example.com'], description: 'The host of documents that describe applications.' },
  id: { examples: [3, '3'] },
  isCurrent: { examples: [true], description: 'Whether this is the session of the call itself.' },
  isPersonnel: { examples: [false], description: 'Whether they are staff.' },
  kind: { examples: ['session', 'activation'] },
  lName: { examples: ['Owner'], description: 'The last name.' },
  languageModelId: { examples: [1], description: 'Handed to the analysis program as it is.' },
  lastName: { examples: ['Owner'] },
  lastSeenAt: { examples: ['2026-03-02T09:30:00.000Z'], description: 'True to the minute.' },
  limit: { examples: [50], description: 'Rows on a page, 50 unless said; more than 200 are 200.' },
  loginUrl: {
    examples: [`http://127.0.0.1:4010/#login?token=${TOKEN}`],
    description: 'Where to send the browser; its token works once, for ten minutes.',
  },
  mId: { examples: [3], description: 'The id of the owner.' },
  marketingUrl: { examples: ['https://app.example.com/register?ref=ACME-10'] },
  memberId: { examples: [3] },
  message: { examples: ['Done'], description: 'A sentence for people.' },
  minutes: { examples: [30] },
  name: { examples: ['Acme Studio'] },
  newPassword: {
    examples: ['Copper-Meadow-17'],
    description: 'At least 8 characters, and at most 72 bytes of UTF-8, after normalization (NFKC).',
  },
  nextCursor: {
    examples: [null],
    description:
      'Null on the last page. A page of a search may have fewer rows than asked for, or none, before that.',
  },
  others: { examples: [true], description: 'Ends all sessions but this one.' },
  ownerId: { examples: [3] },
  pId: { examples: [2] },
  partner: { examples: ['acme-partner'], description: "The partner's name, or its number." },
  partnerId: { examples: [1, 'acme-partner'] },
  password: { examples: ['Lantern-Harbor-42'] },
  payoutEmail: { examples: ['owner@acme.test'] },
  permission: { examples: ['member.list'] },
  personnelId: { examples: [2], description: 'Absent for a new member of staff.' },
  plan: { examples: ['studio-monthly'] },
  provider: { examples: ['google', 'stripe'] },
  provider_Id: { examples: [3] },
  reason: { examples: ['They cannot see their invoices'] },
  redirectUrl: { examples: [`http://127.0.0.1:4010/?token=${TOKEN}`] },
  redirect_url: { examples: ['http://127.0.0.1:4010/welcome'], description: "Of the partner's own origin." },
  role: { examples: [1, 'Owner'] },
  roles: { examples: [['Contributor']], description: 'Names of roles of the account.' },
  role_type: { examples: [6], description: 'The number of the base role; 11 while the member is banned.' },
  scope: { examples: ['openid'] },
  search: { examples: ['a'] },
  searchQuery: { examples: ['o'], description: 'Words of the first and last name, or the id.' },
  searchUser: { examples: ['acme'] },
  secretKey: { examples: ['acme-partner-demo-secret-0123456789'] },
  service: { examples: ['api-main'] },
  sessionId: { examples: [1] },
  sid: {
    examples: ['owner@acme.test'],
    description: 'The login identifier, where it is not the email address.',
  },
  signed_request: { examples: ['signature.payload'] },
  social: { examples: [true], description: 'Signs in with a social callback token.' },
  staffPermission: { examples: ['personnel.read'] },
  state: { examples: ['trialing', 'delivered'] },
  status: { examples: [true] },
  subject: { examples: ['Confirm your email address'] },
  subjectId: { examples: [1] },
  tempLogin: {
    examples: [true],
    description: 'Signs in with a social callback token or a partner login token.',
  },
  title: { examples: ['Spring campaign'] },
  to: { examples: ['owner@acme.test'] },
  token: { examples: [TOKEN] },
  token_status: { examples: ['valid'] },
  topic: { examples: ['What do people ask for?'] },
  url: { examples: ['https://app.example.com/social/google'] },
  userId: { examples: [3] },
  user_data: {
    examples: [],
    description:
      'Scalars that the partner is to be told besides, at most 2 kB. They are signed as `user_data.caller`, apart from the profile.',
  },
  userid: { examples: [3] },
  username: { examples: ['owner'] },
  version: { examples: ['0.1.0'] },
};

/** Optional fields shown in the example of a request, by procedure. */
export const REQUEST_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'account.names': ['searchUser'],
  'account.search': ['search'],
  'affiliate.search': ['search'],
  'login.web': ['email', 'password'],
  'member.search': ['search'],
  'member.update': ['fName', 'lName'],
  'partner.singleSignOn': ['email'],
  'personnel.save': ['email', 'firstName', 'lastName', 'role_type', 'accountIds'],
  'personnel.searchManagers': ['search'],
  'profile.update': ['firstName'],
  'session.endMany': ['others'],
};

const shape = z.object({
  /** The first type that is not null. Schemas with several types never list their values. */
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((type) => [type].flat().find((each) => each !== 'null') ?? [type].flat()[0]),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  minItems: z.number().optional(),
});

/**
 * An example value for a field of this name, from the demonstration data.
 * @param components the schemas that references lead to
 */
export function exampleOf(
  schema: Schema,
  name: string,
  components: ReadonlyMap<string, Schema> = new Map(),
): unknown {
  const { type, format, $ref, anyOf, items, properties, ...rest } = shape.parse(schema);
  if (rest.const !== undefined) return rest.const;
  if ($ref !== undefined) return exampleOf(componentAt($ref, components), name, components);
  const noted = FIELD_NOTES[name]?.examples.find((each) => fits(each, schema));
  if (noted !== undefined) return noted;
  if (rest.enum) return rest.enum[0];
  if (anyOf) return exampleOf(anyOf.find((each) => each['type'] !== 'null') ?? {}, name, components);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([key, each]) => [key, exampleOf(each, key, components)]),
      );
    case 'array':
      return items === undefined ? [] : [exampleOf(items, name.replace(/s$/, ''), components)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'string':
      if (format === 'date-time') return '2026-03-02T09:30:00.000Z';
      return format === 'uri' ? 'https://app.example.com' : 'text';
    case 'null':
      return null;
    default:
      return {};
  }
}

/** Whether an example fits a schema: its type, and one of its listed values if any. */
function fits(example: unknown, schema: Schema): boolean {
  const { type, format, enum: values, anyOf } = shape.parse(schema);
  if (values) return values.includes(example);
  if (anyOf) return anyOf.some((each) => fits(example, each));
  if (type === 'null') return example === null;
  if (type === 'integer' || type === 'number') return typeof example === 'number';
  if (type === 'array') return Array.isArray(example);
  if (format === 'date-time') return typeof example === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(example);
  return type === typeof example && !Array.isArray(example) && type !== 'object';
}

function componentAt(reference: string, components: ReadonlyMap<string, Schema>): Schema {
  const found = components.get(reference.slice(reference.lastIndexOf('/') + 1));
  if (!found) throw new Error(`Nothing is at ${reference}`);
  return found;
}
