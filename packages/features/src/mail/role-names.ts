import type { Locale } from '@gatehouse/db/tables/member-tables';

/** What mails and pages call the built-in roles, by their labels in the API. */
const NAMES: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  Owner: { en: 'Admin', de: 'Admin' },
  'Account Manager': { en: 'Account manager', de: 'Account-Manager' },
  'Manager/Collaborator': { en: 'Manager', de: 'Manager' },
  'User Member': { en: 'Member', de: 'Mitglied' },
};

/** The name of a role for its reader; custom roles have the name that their organization gave them. */
export function roleName(label: string, locale: Locale): string {
  return NAMES[label]?.[locale] ?? label;
}
