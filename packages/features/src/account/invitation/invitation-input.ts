import { z } from 'zod';

const LONGEST_DAYS = 30;
const DEFAULT_DAYS = 7;

/** The number of an invitation. */
export const invitationId = z.int().positive();

/** How long a link is valid. */
export const days = z.int().min(1).max(LONGEST_DAYS).default(DEFAULT_DAYS);

/** An invitation, identified by its link or its number. */
export const whichInvitation = z
  .object({ token: z.string().optional(), invitationId: invitationId.optional() })
  .superRefine(({ token, invitationId: id }, context) => {
    if ((token === undefined) !== (id === undefined)) return;
    context.addIssue({ code: 'custom', path: ['token'], message: 'Either token or invitationId' });
  });

export type WhichInvitation = z.output<typeof whichInvitation>;
