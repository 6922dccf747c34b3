import type { MailKind } from '../mail-kind.js';

const FIRST_PROOF =
  'It was the first proof that you own this account, so every session and every connected profile it had until then has ended. You can connect your profiles again.';

/** Tells the owner of an address that the password was changed, so that one who did not do it can act. */
export const passwordChanged: MailKind<{ atMs: number; link: string; isFirstProof?: boolean }> = {
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: ({ atMs, link, isFirstProof = false }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `Your password was changed on ${new Date(atMs).toUTCString()}.`,
      ...(isFirstProof ? [FIRST_PROOF] : []),
    ],
    closing: [`If it was not you, set a new one at once: ${link}`],
  }),
};
