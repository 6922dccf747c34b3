import { AppError, type InputIssue } from '@gatehouse/auth-core';
import type { SsoRules } from '@gatehouse/db/tables/sso-tables';
import { z } from 'zod';
import type { Services } from '../core/context.js';

const MAX_ROLE_RULES = 50;

const roleRule = z.object({
  /** The claim or attribute, such as `groups`. */
  claim: z.string().min(1).max(200),
  value: z.string().min(1).max(200),
  roleType: z.int(),
});

/** The rules for the people of a connection; omitted ones do not change. */
export const rulesInput = {
  roleMap: z.array(roleRule).max(MAX_ROLE_RULES).optional(),
  /** The role of people without a rule. */
  defaultRole: z.int().optional(),
  /** Whether people who are new to the service become its members by signing in. */
  justInTime: z.boolean().optional(),
  /** After how many hours a session ends. */
  sessionHours: z.int().min(1).max(720).optional(),
  /** The level of the sign-in in this account: 2 if the identity provider requires a second factor. */
  idpLevel: z.int().min(1).max(2).optional(),
};

export const rulesView = {
  roleMap: z.array(roleRule).max(MAX_ROLE_RULES),
  defaultRole: z.int(),
  justInTime: z.boolean(),
  sessionHours: z.int(),
  idpLevel: z.int(),
};

const SESSION_HOURS = 12;

type GivenRules = { readonly [Field in keyof SsoRules]?: SsoRules[Field] | undefined };

/**
 * The rules of a connection after a change.
 * @throws {AppError} `invalid_input` for a role that no connection may give
 */
export function rulesFrom(
  { roles }: Pick<Services, 'roles'>,
  given: GivenRules,
  before: SsoRules | undefined,
): SsoRules {
  const { manager, contributor, designer, userMember } = roles.id;
  const given25: ReadonlySet<number> = new Set([manager, contributor, designer, userMember]);
  const {
    roleMap = before?.roleMap ?? [],
    defaultRole = before?.defaultRole ?? userMember,
    justInTime = before?.justInTime ?? false,
    sessionHours = before?.sessionHours ?? SESSION_HOURS,
    idpLevel = before?.idpLevel ?? 1,
  } = given;
  const message = 'is no role that single sign-on gives';
  const issues: InputIssue[] = roleMap.flatMap(({ roleType }, at) =>
    given25.has(roleType) ? [] : [{ path: `roleMap.${at}.roleType`, message }],
  );
  if (!given25.has(defaultRole)) issues.push({ path: 'defaultRole', message });
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return { roleMap, defaultRole, justInTime, sessionHours, idpLevel };
}
