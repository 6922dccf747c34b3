import { AppError, personNameSchema, usernameKey, usernameSchema } from '@gatehouse/auth-core';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { findMember } from '@gatehouse/db/queries/read-members';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../audit/change.js';
import type { Caller } from '../core/guard/caller.js';
import type { Guarded } from '../core/guard/guarded.js';
import { procedure } from '../core/guard/procedure.js';
import { LOCALES, ownMemberView, toOwnMemberView } from '../core/member-view.js';
import { ownUsername, writeProfile } from '../registration/usernames.js';

const DAY_MS = 86_400_000;

const USERNAMES_PER_DAY = 5;

/** Fields that members may change themselves; omitted ones are unchanged. */
export const profileInput = z.strictObject({
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  username: usernameSchema.optional(),
  /** The language of the caller's mails. */
  locale: z.enum(LOCALES).optional(),
});

export const profileOutput = z.object({ message: z.string(), data: ownMemberView });

/**
 * Changes the caller's names and the language of their mails.
 * @throws {AppError} `username_taken`, `invalid_input` for another's address as username, `rate_limited` after five usernames in a day
 */
export async function changeProfile(
  ctx: Guarded<{ readonly caller: Caller }>,
  input: z.output<typeof profileInput>,
): Promise<z.output<typeof profileOutput>> {
  const { memberId } = ctx.caller;
  await limitUsernames(ctx, input.username);
  return changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
    const locked = await lockMember(tx, { memberId, nowMs });
    const before = locked && (await findMember(tx, memberId));
    if (!before) throw new AppError('unauthorized');
    const { username: name, ...others } = input;
    const username = name === undefined ? undefined : ownUsername(name, before.email);
    await writeProfile(tx, { memberId, nowMs, ...others, username });
    const after = await findMember(tx, memberId);
    if (!after) throw new AppError('unauthorized');
    const changed = changedFields({ ...before }, input);
    return {
      result: { message: 'The profile is saved', data: toOwnMemberView(after, nowMs) },
      record: changed && {
        action: 'profile.updated',
        subjectKind: 'member',
        subjectId: memberId,
        ...changed,
      },
    };
  });
}

/** Every new username reveals whether somebody else has it, so each is counted, except one that is refused for another reason. */
async function limitUsernames(
  { services, caller }: Guarded<{ readonly caller: Caller }>,
  username: string | undefined,
): Promise<void> {
  if (username === undefined) return;
  const profile = await services.access.profile(caller.member);
  if (profile !== undefined && usernameKey(profile.username) === usernameKey(username)) return;
  if (profile !== undefined) ownUsername(username, profile.email);
  const key = `username:${caller.memberId}`;
  await enforceLimit(services, { key, name: 'username', most: USERNAMES_PER_DAY, windowMs: DAY_MS });
}

/** Changes the caller's names and the language of their mails; omitted fields stay as they are. */
export const updateProfile = procedure({ who: 'member', inPerson: true })
  .meta({
    about: {
      summary: "Change one's names, username and the language of one's mails",
      refuses: ['username_taken', 'rate_limited'],
    },
  })
  .input(profileInput)
  .output(profileOutput)
  .mutation(({ ctx, input }) => changeProfile(ctx, input));
