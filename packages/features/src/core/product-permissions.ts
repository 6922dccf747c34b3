import {
  isProductPermission,
  PERMISSIONS,
  type ProductPermissionRow,
  ROLE_NAMES,
} from '@gatehouse/auth-core';
import { z } from 'zod';

export const MAX_PRODUCT_PERMISSIONS = 200;

/** A permission in an account: of the service, or one of PRODUCT_PERMISSIONS, which begin with `app.`. */
export const permissionView = z.union([z.enum(PERMISSIONS), z.templateLiteral(['app.', z.string()])]);

const label = z.string().trim().min(1).max(80);

const row = z.strictObject({
  name: z.string().refine(isProductPermission),
  label: z.strictObject({ en: label, de: label }),
  roles: z.array(z.enum(ROLE_NAMES).or(z.int().nonnegative())).max(ROLE_NAMES.length),
});

const rows = z
  .array(row)
  .max(MAX_PRODUCT_PERMISSIONS)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length);

/** What is wrong with PRODUCT_PERMISSIONS, without its values. */
const FORM =
  'must be a JSON list of at most 200 { "name": "app.invoice.read", "label": { "en", "de" }, "roles": ["owner"] }, each name once';

/** PRODUCT_PERMISSIONS: the product's own permissions and the roles that have them. */
export const productPermissions = z
  .string()
  .default('[]')
  .transform((text, context): readonly ProductPermissionRow[] => {
    const read = rows.safeParse(jsonIn(text));
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: FORM });
    return z.NEVER;
  });

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
