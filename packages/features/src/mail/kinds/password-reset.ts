import type { MailKind } from '../mail-kind.js';

/** The link with which somebody who forgot the password sets a new one. */
export const passwordReset: MailKind<{ link: string; minutes: number }> = {
  mostPerHour: 5,
  lifeMs: 30 * 60_000,
  compose: ({ link, minutes }) => ({
    subject: 'Set a new password',
    paragraphs: [
      'Someone, hopefully you, asked for a new password for the account with this e-mail address.',
      `This link works once, within ${minutes} minutes. Setting a new password signs you out everywhere.`,
    ],
    action: { label: 'Set a new password', link },
    closing: ['If it was not you, you need not do anything: your password stays as it is.'],
  }),
};
