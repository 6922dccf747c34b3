import { vouchedAddress } from '@gatehouse/auth-core';
import { findLinkableMember, type PartnerRow } from '@gatehouse/db';
import type { PartnerChange } from '@gatehouse/features/partner/change-partner';
import { linkPartnerMember } from '@gatehouse/features/partner/change-partner';
import { defineCommand } from '../define-command.js';
import { readList } from '../read-list.js';
import { withPartner } from '../with-partner-change.js';

const WHOLE = /^[1-9]\d{0,14}$/;

export const linkPartnerMembers = defineCommand({
  name: 'link-partner-members',
  summary: 'link members a partner registered before, from lines of address-or-number[,accountId…]',
  usage: ['<name> <file, or - for standard input>'],
  words: { least: 2, most: 2 },
  run(context, { positionals: [name = '', path = '-'] }) {
    return withPartner(context, name, async (change, partner) => {
      const counts = { linked: 0, before: 0, refused: 0 };
      for await (const { number, text: line, problem: unreadable } of readList(context, path)) {
        if (line?.trim() === '' || line?.startsWith('#')) continue;
        const { isNew, problem } =
          line === undefined
            ? { isNew: undefined, problem: unreadable }
            : await linkLine(change, partner, line);
        if (problem !== undefined) context.say(`line ${number}: ${problem}`);
        if (isNew !== undefined) counts[isNew ? 'linked' : 'before'] += 1;
        if (problem !== undefined) counts.refused += 1;
      }
      context.say(
        `${counts.linked} linked, ${counts.before} linked before, ${counts.refused} lines with a problem.`,
      );
      return counts.refused === 0 ? 0 : 1;
    });
  },
});

/** Links one member. `isNew` is absent when the member does not exist. */
async function linkLine(
  change: PartnerChange,
  partner: PartnerRow,
  line: string,
): Promise<{ isNew?: boolean; problem?: string }> {
  const [member = '', ...accounts] = line.split(',').map((part) => part.trim());
  if (!accounts.every((account) => WHOLE.test(account))) return { problem: 'an account is not a number' };
  const emailKey = vouchedAddress(member);
  if (emailKey === undefined && !WHOLE.test(member)) return { problem: 'neither an address nor a number' };
  const found = await findLinkableMember(
    change.db,
    emailKey === undefined ? { id: Number(member) } : { emailKey },
  );
  if (!found) return { problem: 'there is no such member, or it is staff' };
  const { isNew, refusedAccountIds } = await linkPartnerMember(change, {
    partnerId: partner.id,
    memberId: found.id,
    accountIds: accounts.map(Number),
  });
  if (refusedAccountIds.length === 0) return { isNew };
  return {
    isNew,
    problem: `not the member's own, or another partner's: account ${refusedAccountIds.join(', ')}`,
  };
}
