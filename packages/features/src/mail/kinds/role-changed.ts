import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';
import { roleName } from '../role-names.js';

/** Notifies a member about their new role in an account. */
export const roleChanged: MailKind<{
  /** Omitted if it looks like a link, like the role's name. */
  accountName: string | undefined;
  /** The label of a built-in role, or the name of a custom one. */
  role: string | undefined;
  atMs: number;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, role, atMs }) => ({
      subject: `Your role in ${accountName === undefined ? 'an organization' : `“${accountName}”`} was changed`,
      paragraphs: [
        `Your role in ${accountName === undefined ? 'an organization' : `the organization “${accountName}”`} was changed${role === undefined ? '' : ` to ${roleName(role, 'en')}`} on ${englishTime(atMs)}.`,
      ],
      closing: ["If you weren't expecting this, ask the owner of the organization."],
    }),
    de: ({ accountName, role, atMs }) => ({
      subject: `Deine Rolle in ${accountName === undefined ? 'einer Organisation' : `„${accountName}“`} wurde geändert`,
      paragraphs: [
        `Deine Rolle in ${accountName === undefined ? 'einer Organisation' : `der Organisation „${accountName}“`} wurde am ${germanTime(atMs)} geändert${role === undefined ? '' : `: ${roleName(role, 'de')}`}.`,
      ],
      closing: ['Wenn du das nicht erwartet hast, frage die Inhaber:in der Organisation.'],
    }),
  },
};
