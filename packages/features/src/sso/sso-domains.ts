import { AppError, randomId } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { storableBeginning } from '@gatehouse/db/dialect/stored-text';
import {
  findSsoDomain,
  insertSsoDomain,
  listSsoDomains,
  removeSsoDomain,
  type SsoDomain,
  setSsoDomainVerified,
} from '@gatehouse/db/queries/sso-domains';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import type { TxtAnswer } from '@gatehouse/runtime/network/txt-resolver';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { provableDomain } from './domain-rules.js';

/** The most domains of an account. */
export const MAX_DOMAINS = 20;

/** A name with more records than that proves nothing. */
const MAX_RECORDS = 20;

/** Longer text of a record is not shown. */
const SHOWN_LENGTH = 255;

const CHECKS_AN_HOUR = 10;

const HOUR_MS = 3_600_000;

export const DAY_MS = 86_400_000;

export const domainView = z
  .object({
    id: z.int(),
    /** In ASCII. */
    domain: z.string(),
    state: z.enum(['pending', 'verified', 'lapsed']),
    /** The DNS record that proves it, which has to stay. */
    record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
    verifiedAt: z.iso.datetime().nullable(),
    /** For how many days in a row the record was not found. */
    failedDays: z.int(),
  })
  .meta({ id: 'SsoDomain' });

export function toDomainView(row: SsoDomain): z.output<typeof domainView> {
  return {
    id: row.id,
    domain: row.domain,
    state: row.state,
    record: { type: 'TXT', name: recordName(row), value: recordValue(row) },
    verifiedAt: row.verifiedAtMs === null ? null : new Date(row.verifiedAtMs).toISOString(),
    failedDays: row.failedDays,
  };
}

const recordName = ({ domain }: Pick<SsoDomain, 'domain'>) => `_gatehouse.${domain}`;

const recordValue = ({ proof }: Pick<SsoDomain, 'proof'>) => `gatehouse-domain=${proof}`;

/** Asks for the record of a domain, and whether it is the one. */
export async function lookForRecord(
  { resolveTxt }: Pick<Services, 'resolveTxt'>,
  domain: Pick<SsoDomain, 'domain' | 'proof'>,
): Promise<{ isFound: boolean; answer: TxtAnswer }> {
  const answer = await resolveTxt(recordName(domain));
  const records = 'records' in answer ? answer.records : [];
  return { isFound: records.length <= MAX_RECORDS && records.includes(recordValue(domain)), answer };
}

const writing = accountProcedure('sso.manage', { inPerson: true, fresh: FRESH });

const domainId = z.int().positive();

const subjectOf = (accountId: number, id: number) =>
  ({ accountId, subjectKind: 'ssoDomain', subjectId: id }) as const;

/**
 * Adds a domain whose people the account wants to sign in through its identity provider. It is verified once its DNS record was
 * found.
 */
const addDomain = writing
  .meta({
    about: {
      summary: 'Add a domain, and get the DNS record that proves it',
      refuses: ['domain_not_allowed', 'limit_reached'],
    },
  })
  .input(z.object({ domain: z.string().min(1).max(254) }))
  .output(z.object({ data: domainView }))
  .mutation(async ({ ctx, input }) => {
    const accountId = ctx.account.id;
    const domain = await provableDomain(input.domain);
    if (domain === undefined) throw new AppError('domain_not_allowed');
    const row = await changeAndRecord(
      ctx,
      { lock: { accounts: [accountId] } },
      async ({ tx, nowMs, caller }) => {
        const domains = await listSsoDomains(tx, accountId);
        const known = domains.find((each) => each.domain === domain);
        if (known !== undefined) return { result: known, record: undefined };
        if (domains.length >= MAX_DOMAINS) throw new AppError('limit_reached');
        const made = { accountId, domain, proof: randomId(), createdById: caller.memberId };
        const id = await insertSsoDomain(tx, { ...made, createdAtMs: nowMs });
        const added = await findSsoDomain(tx, { id, accountId });
        if (added === undefined)
          throw new AppError('internal', { detail: 'a domain just added is not there' });
        return {
          result: added,
          record: {
            action: 'sso.domain-added',
            ...subjectOf(accountId, id),
            before: null,
            after: { domain },
          },
        };
      },
    );
    return { data: toDomainView(row) };
  });

/**
 * Looks for the DNS record of a domain. Once it is there, people with addresses in exactly this domain are those of the account, and
 * another account cannot verify it.
 */
const verifyDomain = writing
  .meta({
    about: {
      summary: 'Look for the DNS record of a domain',
      refuses: ['not_found', 'domain_taken', 'rate_limited'],
    },
  })
  .input(z.object({ domainId }))
  .output(
    z.object({
      data: z.object({
        verified: z.boolean(),
        /** The text records that were found instead. */
        found: z.array(z.string()).max(MAX_RECORDS),
      }),
    }),
  )
  .mutation(async ({ ctx, input: { domainId: id } }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const asked = await findSsoDomain(services.db, { id, accountId });
    if (asked === undefined) throw new AppError('not_found');
    await enforceLimit(services, {
      key: `sso-domain-checks:${accountId}`,
      name: 'sso-domain-checks',
      most: CHECKS_AN_HOUR,
      windowMs: HOUR_MS,
    });
    const { isFound, answer } = await lookForRecord(services, asked);
    if (!isFound) {
      const records = 'records' in answer ? answer.records : [];
      return { data: { verified: false, found: records.slice(0, MAX_RECORDS).map(shown) } };
    }
    try {
      await changeAndRecord(ctx, { announce: { accounts: [accountId] } }, async ({ tx, nowMs }) => {
        const row = await findSsoDomain(tx, { id, accountId });
        if (row === undefined) throw new AppError('not_found');
        const { domain, state } = row;
        await setSsoDomainVerified(tx, { id, domain, nowMs, checkDueAtMs: nowMs + DAY_MS });
        return {
          result: undefined,
          record:
            state === 'verified'
              ? undefined
              : {
                  action: 'sso.domain-verified',
                  ...subjectOf(accountId, id),
                  before: { state },
                  after: { domain, state: 'verified' },
                },
        };
      });
    } catch (error) {
      if (error instanceof DuplicateKeyError) throw new AppError('domain_taken', { cause: error });
      throw error;
    }
    return { data: { verified: true, found: [] } };
  });

/** A DNS record, which anybody may have written, as far as an answer shows it. */
function shown(record: string): string {
  return storableBeginning(record, SHOWN_LENGTH);
}

/** Removes a domain. Nobody joins the account by an address in it any more. */
const removeDomain = writing
  .meta({ about: { summary: 'Remove a domain', refuses: ['not_found'] } })
  .input(z.object({ domainId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { domainId: id } }) => {
    const accountId = ctx.account.id;
    await changeAndRecord(ctx, { announce: { accounts: [accountId] } }, async ({ tx }) => {
      const row = await findSsoDomain(tx, { id, accountId });
      if (row === undefined) throw new AppError('not_found');
      await removeSsoDomain(tx, id);
      return {
        result: undefined,
        record: {
          action: 'sso.domain-removed',
          ...subjectOf(accountId, id),
          before: { domain: row.domain, state: row.state },
          after: null,
        },
      };
    });
    return { message: 'The domain is removed' };
  });

export const domainProcedures = { addDomain, verifyDomain, removeDomain };
