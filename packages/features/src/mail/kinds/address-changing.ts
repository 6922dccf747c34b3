import type { MailKind } from '../mail-kind.js';

/** Tells the owner of the present address that another one is to take its place. */
export const addressChanging: MailKind<{ atMs: number; link: string }> = {
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: ({ atMs, link }) => ({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      `On ${new Date(atMs).toUTCString()} a change of the e-mail address of your account was asked for. It happens once the new address is confirmed; this one then no longer belongs to the account.`,
    ],
    closing: [`If it was not you, set a new password at once, which also stops the change: ${link}`],
  }),
};
