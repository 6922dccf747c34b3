import { t as ofParts } from '../messages/translate.js';
import { t } from './words.js';

/** The built-in roles, by their labels in the API: their names on screens, and what they may do. */
const ROLES = {
  Admin: { name: 'ui.role.admin', about: 'role.aboutAdmin' },
  Owner: { name: 'ui.role.admin', about: 'role.aboutAdmin' },
  'Account Manager': { name: 'ui.role.accountManager', about: 'role.aboutAccountManager' },
  'Manager/Collaborator': { name: 'ui.role.manager', about: 'role.aboutManager' },
  Contributor: { name: 'ui.role.contributor', about: 'role.aboutContributor' },
  // Designers have the permissions of contributors.
  Designer: { name: 'ui.role.designer', about: 'role.aboutContributor' },
  'User Member': { name: 'ui.role.member', about: 'role.aboutMember' },
} as const;

/** The label of a built-in role in the API. */
export type BuiltInRole = keyof typeof ROLES;

const isBuiltIn = (label: string): label is BuiltInRole => Object.hasOwn(ROLES, label);

/** The label of the role without permissions. Members who have it have no access, which their status says. */
const WITHOUT_ACCESS = 'Archived';

/** The name of a role; custom ones have the name that their account gave them. */
export function roleName(label: string): string {
  if (label === WITHOUT_ACCESS) return '';
  return isBuiltIn(label) ? ofParts(ROLES[label].name) : label;
}

/** The labels of all roles that have the same name on screens as this one. */
export function labelsNamedLike(label: string): string[] {
  return isBuiltIn(label)
    ? Object.keys(ROLES).filter((each) => isBuiltIn(each) && ROLES[each].name === ROLES[label].name)
    : [label];
}

/** What a built-in role may do, in one sentence; undefined for a custom one. */
export function aboutRole(label: string): string | undefined {
  return isBuiltIn(label) ? t(ROLES[label].about) : undefined;
}
