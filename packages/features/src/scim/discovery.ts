const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

export const USER_SCHEMA = `${CORE}:User`;
export const GROUP_SCHEMA = `${CORE}:Group`;
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export const MAX_RESULTS = 200;

/** What is served (RFC 7643, section 5). */
export function serviceProviderConfig(base: string): Record<string, unknown> {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an owner of the organization makes',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The types of resources (RFC 7643, section 6). */
export function resourceTypes(base: string): Record<string, unknown>[] {
  return [
    { id: 'User', endpoint: '/Users', description: 'A person in the organization', schema: USER_SCHEMA },
    { id: 'Group', endpoint: '/Groups', description: 'A group of the directory', schema: GROUP_SCHEMA },
  ].map((type) => ({
    schemas: [`${CORE}:ResourceType`],
    ...type,
    name: type.id,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }));
}

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly uniqueness?: 'server';
  readonly subAttributes?: readonly object[];
  readonly referenceTypes?: readonly string[];
}

function attribute(name: string, description: string, options: AttributeOptions = {}): object {
  const { type = 'string', subAttributes, referenceTypes, uniqueness = 'none' } = options;
  return {
    name,
    type,
    multiValued: options.multiValued ?? false,
    description,
    required: options.required ?? false,
    caseExact: options.caseExact ?? false,
    mutability: options.mutability ?? 'readWrite',
    returned: 'default',
    uniqueness,
    ...(subAttributes && { subAttributes }),
    ...(referenceTypes && { referenceTypes }),
  };
}

const EXTERNAL_ID = attribute('externalId', 'What the directory calls it', { caseExact: true });

const readOnly = { mutability: 'readOnly' } as const;

const REFERENCES = ['User', 'Group'];

const USER_ATTRIBUTES = [
  EXTERNAL_ID,
  attribute('userName', 'The e-mail address, in a domain that the organization has verified', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', 'The name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name', readOnly),
      attribute('familyName', 'The last name'),
      attribute('givenName', 'The first name'),
    ],
  }),
  attribute('displayName', 'The name as it is shown'),
  attribute('emails', 'One e-mail address, in a domain that the organization has verified', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address'),
      attribute('type', 'Always work', readOnly),
      attribute('primary', 'Always true', { type: 'boolean', ...readOnly }),
    ],
  }),
  attribute('active', 'Whether the person has access to the organization', { type: 'boolean' }),
  attribute('groups', 'The groups that the person is in', {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute('value', 'The id of the group', { caseExact: true, ...readOnly }),
      attribute('$ref', 'Its address', { type: 'reference', referenceTypes: ['Group'], ...readOnly }),
      attribute('display', 'Its name', readOnly),
      attribute('type', 'Always direct', readOnly),
    ],
  }),
];

const GROUP_ATTRIBUTES = [
  EXTERNAL_ID,
  attribute('displayName', 'The name, by which the organization may give a role', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('members', 'At most 10,000 people of the organization', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user', { caseExact: true, mutability: 'immutable' }),
      attribute('$ref', 'Its address', { type: 'reference', referenceTypes: REFERENCES, ...readOnly }),
      attribute('display', 'The name of the person', readOnly),
      attribute('type', 'Always User', readOnly),
    ],
  }),
];

/** The attributes that are served (RFC 7643, section 7). */
export function schemas(base: string): Record<string, unknown>[] {
  return [
    { id: USER_SCHEMA, name: 'User', description: 'A person', attributes: USER_ATTRIBUTES },
    { id: GROUP_SCHEMA, name: 'Group', description: 'A group', attributes: GROUP_ATTRIBUTES },
  ].map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));
}
