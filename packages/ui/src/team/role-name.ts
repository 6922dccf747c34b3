import { t as ofParts } from '../messages/translate.js';
import { t } from './words.js';

/** What the built-in roles are called on screens, by their labels in the API. */
const NAMES = {
  Admin: 'ui.role.admin',
  Owner: 'ui.role.admin',
  'Account Manager': 'ui.role.accountManager',
  'Manager/Collaborator': 'ui.role.manager',
  Contributor: 'ui.role.contributor',
  Designer: 'ui.role.designer',
  'User Member': 'ui.role.member',
} as const;

const ABOUT = {
  Admin: 'role.aboutAdmin',
  Owner: 'role.aboutAdmin',
  'Account Manager': 'role.aboutAccountManager',
  'Manager/Collaborator': 'role.aboutManager',
  Contributor: 'role.aboutContributor',
  Designer: 'role.aboutDesigner',
  'User Member': 'role.aboutMember',
} as const;

type Label = keyof typeof NAMES;

const isBuiltIn = (label: string): label is Label => Object.hasOwn(NAMES, label);

/** The name of a role; custom ones have the name that their account gave them. */
export function roleName(label: string): string {
  return isBuiltIn(label) ? ofParts(NAMES[label]) : label;
}

/** What a built-in role may do, in one sentence; undefined for a custom one. */
export function aboutRole(label: string): string | undefined {
  return isBuiltIn(label) ? t(ABOUT[label]) : undefined;
}
