import type { MailKind } from '../mail-kind.js';

/** Tells the owner of an address that the password was changed, so that one who did not do it can act. */
export const passwordChanged: MailKind<{ atMs: number; link: string }> = {
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: ({ atMs, link }) => ({
    subject: 'Your password was changed',
    paragraphs: [`Your password was changed on ${new Date(atMs).toUTCString()}.`],
    closing: [`If it was not you, set a new one at once: ${link}`],
  }),
};
