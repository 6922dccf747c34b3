import {
  createRoles,
  isProductPermission,
  PERMISSIONS,
  type ProductPermissionRow,
  ROLE_NAMES,
} from '@gatehouse/auth-core';
import { z } from 'zod';

export const MAX_PRODUCT_PERMISSIONS = 200;

/** A permission in an account: of the service, or one of PRODUCT_PERMISSIONS, which begin with `app.`. */
export const permissionView = z.union([
  z.enum(PERMISSIONS),
  z.templateLiteral(['app.', z.string()]).refine(isProductPermission),
]);

const label = z.string().trim().min(1).max(80);

const row = z.strictObject({
  name: z
    .string()
    .refine(isProductPermission, 'is no name of a product permission, or is one of the service'),
  label: z.strictObject({ en: label, de: label }),
  roles: z.array(z.enum(ROLE_NAMES).or(z.int().nonnegative())).max(ROLE_NAMES.length),
});

const rows = z
  .array(row)
  .max(MAX_PRODUCT_PERMISSIONS)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    for (const [at, { name }] of all.entries()) {
      if (seen.has(name)) context.addIssue({ code: 'custom', path: [at, 'name'], message: 'is there twice' });
      seen.add(name);
    }
  });

const FORM =
  'must be a JSON list of at most 200 { "name": "app.invoice.read", "label": { "en", "de" }, "roles": ["owner"] }, each name once';

/** What is wrong with PRODUCT_PERMISSIONS and where, without its values. */
function problemIn({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: '' }] = issues;
  const [at, ...fields] = path;
  if (typeof at !== 'number') return FORM;
  // Other messages may contain a value.
  const known = message.startsWith('is ') ? `: ${message}` : '';
  const place = fields.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${FORM}; wrong is [${at}]${place}${known}`;
}

/** PRODUCT_PERMISSIONS: the product's own permissions and the roles that have them. */
export const productPermissions = z
  .string()
  .default('[]')
  .transform((text, context): readonly ProductPermissionRow[] => {
    const read = rows.safeParse(jsonIn(text));
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: problemIn(read.error) });
    return z.NEVER;
  });

/**
 * A role number in PRODUCT_PERMISSIONS that this deployment gives to no role would grant nobody; each is reported as `NAME:
 * problem`.
 */
export function productRoleProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const read = productPermissions.safeParse(env['PRODUCT_PERMISSIONS']);
  const { DESIGNER, USER_MEMBER, ACCOUNT_MANAGER } = env;
  const { designer, userMember, accountManager, ...others } = createRoles().id;
  const numbers = new Set([
    ...Object.values(others),
    Number(DESIGNER ?? designer),
    Number(USER_MEMBER ?? userMember),
    Number(ACCOUNT_MANAGER ?? accountManager),
  ]);
  return (read.data ?? []).flatMap(({ roles }, at) =>
    roles.flatMap((role, index) =>
      typeof role === 'string' || numbers.has(role)
        ? []
        : [`PRODUCT_PERMISSIONS: [${at}].roles[${index}] is the number of no role`],
    ),
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
