import { AppError, vouchedAddress } from '@gatehouse/auth-core';
import { findLinkableMember } from '@gatehouse/db/queries/partner-members';
import { findPartner, type PartnerRow } from '@gatehouse/db/queries/partners';
import { partnerNameIn } from '@gatehouse/features/core/guard/service-callers';
import { addPartner as add } from '@gatehouse/features/partner/add-partner';
import {
  linkPartnerMember,
  type PartnerChange,
  stopPartner,
} from '@gatehouse/features/partner/change-partner';
import { newPartnerSchema } from '@gatehouse/features/partner/partner-schemas';
import {
  finishPartnerRotation,
  rotatePartnerSecret as rotate,
} from '@gatehouse/features/partner/rotate-partner-secret';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { holdsSecret } from '../holds-secret.js';
import { operatorAudit } from '../operator-audit.js';
import { readList, readStandardInput } from '../read-list.js';
import { withDatabase } from '../with-database.js';

/**
 * Lets the operator change partners. The environment provides the dependencies.
 * @throws {ConfigError} if DATABASE_URL is not valid, or DATA_ENCRYPTION_KEY if the change stores a secret.
 */
async function withPartnerChange<Result>(
  context: CommandContext,
  body: (change: PartnerChange) => Promise<Result>,
): Promise<Result> {
  return withDatabase(context, (db) =>
    body({ ...operatorAudit(context), db, nowMs: Date.now(), actorId: null }),
  );
}

/** `withPartnerChange` for an existing partner. If it does not exist, it says so, with exit code 1. */
async function withPartner(
  context: CommandContext,
  name: string,
  body: (change: PartnerChange, partner: PartnerRow) => Promise<number>,
): Promise<number> {
  return withPartnerChange(context, async (change) => {
    const partner = await findPartner(change.db, partnerNameIn(name));
    if (partner) return body(change, partner);
    context.say(`There is no partner called ${name}.`);
    return 1;
  });
}

export const addPartner = defineCommand({
  name: 'add-partner',
  summary: 'add a partner; shows its secretKey, this once',
  usage: ['<name> <appUrl> [--id <partnerId>] [--secret-stdin]'],
  words: { least: 2, most: 2 },
  options: {
    id: {
      type: 'string',
      about: 'the partnerId that its systems send so far, kept as it is',
    },
    'secret-stdin': {
      type: 'boolean',
      default: false,
      about: 'read the secretKey it has so far from standard input',
    },
  },
  async run(context, { values, positionals }) {
    const [name, appUrl] = positionals;
    const given = values['secret-stdin'] ? (await readStandardInput()).trim() : undefined;
    const parsed = newPartnerSchema.safeParse({ name, appUrl, externalId: values.id, secretKey: given });
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) context.say(`${path.join('.')}: ${message}`);
      return 2;
    }
    if (given !== undefined && holdsSecret(context.env, given)) {
      context.say('secretKey: is a secret of this service; the partner needs one of its own');
      return 2;
    }
    return withPartnerChange(context, async (change) => {
      try {
        const { id, secretKey } = await add(change, parsed.data);
        context.say(`Added ${parsed.data.name}, number ${id}.`);
        if (given === undefined) context.say(`Its secretKey, shown only now: ${secretKey}`);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.say(error.message);
        return 1;
      }
    });
  },
});

const DAY_SECONDS = 86_400;

const MAX_DAYS = 90;

export const rotatePartnerSecret = defineCommand({
  name: 'rotate-partner-secret',
  summary: 'give a partner a new secretKey; shows it, this once',
  usage: ['<name> [--overlap-days <days>]', '<name> --finish'],
  words: { least: 1, most: 1 },
  options: {
    'overlap-days': {
      type: 'string',
      default: '7',
      value: '<days>',
      about: `how long the one before it works too, ${MAX_DAYS} at most; 7 unless given`,
    },
    finish: { type: 'boolean', default: false, about: 'let only the newest work, from now on' },
  },
  run(context, { values, positionals }) {
    const days = Number(values['overlap-days']);
    if (!(days >= 0 && days <= MAX_DAYS)) {
      context.say(`overlap-days: must be between 0 and ${MAX_DAYS}`);
      return Promise.resolve(2);
    }
    return withPartner(context, positionals[0] ?? '', async (change, { id: partnerId, name }) => {
      if (values.finish) {
        const isFinished = await finishPartnerRotation(change, partnerId);
        context.say(isFinished ? `Only the newest secretKey of ${name} works now.` : 'There was only one.');
        return 0;
      }
      const overlapSeconds = Math.round(days * DAY_SECONDS);
      const { secretKey, previousUntilMs } = await rotate(change, { partnerId, overlapSeconds });
      context.say(`The new secretKey of ${name}, shown only now: ${secretKey}`);
      context.say(
        previousUntilMs === null
          ? 'No other works any more.'
          : `The one before it works until ${new Date(previousUntilMs).toISOString()}.`,
      );
      return 0;
    });
  },
});

export const deactivatePartner = defineCommand({
  name: 'deactivate-partner',
  summary: 'shut a partner out, its tokens and the sessions it began',
  usage: ['<name>'],
  words: { least: 1, most: 1 },
  run: (context, { positionals }) =>
    withPartner(context, positionals[0] ?? '', async (change, partner) => {
      await stopPartner(change, partner.id);
      context.say(`${partner.name} is deactivated.`);
      return 0;
    }),
});

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
