import { randomInt } from 'node:crypto';
import { personNameSchema, randomId } from '@gatehouse/auth-core';
import { releasePlace, takePlace } from '@gatehouse/db/queries/shared-places';
import { SECRET_PREFIX, signatureHeaders } from '@gatehouse/runtime/network/signature-headers';
import { z } from 'zod';
import type { ApplicationType, Services } from '../core/context.js';
import { LEGACY_TIMEOUT_MS, type LegacyAnswer, type LegacySignIn } from '../core/legacy-sign-in.js';

/** How many questions are open at once, of all nodes together. */
const MOST_AT_ONCE = 10;

/** A place is free again after this, if the node that took it died. */
const PLACE_MS = 3 * LEGACY_TIMEOUT_MS;

const PLACES = { prefix: 'legacy-sign-in', count: MOST_AT_ONCE };

const MAX_ANSWER_BYTES = 16_384;

/** How long a question without an answer is remembered. */
const FAILURE_KNOWN_MS = 60_000;

const name = personNameSchema.optional().catch(undefined);

const profile = z.object({
  /** The id of the person there. */
  id: z.union([z.string().min(1).max(255), z.int().transform(String)]).optional(),
  firstName: name,
  lastName: name,
});

const answer = z.discriminatedUnion('verified', [
  z.object({ verified: z.literal(true), profile: profile.nullish() }),
  z.object({ verified: z.literal(false) }),
]);

/** Undefined where it is not configured, and in the admin service: staff have their passwords here. */
export function createLegacySignIn({
  config,
  db,
  log,
  metrics,
  now,
  outbound,
  application,
}: Pick<Services, 'config' | 'db' | 'log' | 'metrics' | 'now' | 'outbound'> & {
  readonly application: ApplicationType;
}): LegacySignIn | undefined {
  const { LEGACY_SIGN_IN_URL: url, LEGACY_SIGN_IN_SECRET: given, LEGACY_SIGN_IN_UNTIL: untilMs } = config;
  if (url === undefined || given === undefined || untilMs === undefined) return undefined;
  if (application === 'admin') return undefined;
  const secret = signingSecret(given);
  let failedAtMs = Number.NEGATIVE_INFINITY;
  /** The questions of this node, which need no look at the shared places when they are ten already. */
  let open = 0;

  async function post(email: string, password: string): Promise<LegacyAnswer | { readonly reason: string }> {
    const body = JSON.stringify({ email, password });
    const sent = await outbound.post(url ?? '', {
      reach: 'private',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Gatehouse',
        ...signatureHeaders([secret], { id: `ask_${randomId()}`, body, nowMs: now() }),
      },
      body,
      maxBytes: MAX_ANSWER_BYTES + 1,
      wholeMs: LEGACY_TIMEOUT_MS,
    });
    if ('failure' in sent) return { reason: sent.failure };
    if (sent.status !== 200) return { reason: `status ${sent.status}` };
    if (sent.body.length > MAX_ANSWER_BYTES) return { reason: 'answer too long' };
    const read = answer.safeParse(parseJson(sent.body));
    if (!read.success) return { reason: 'answer not understood' };
    if (!read.data.verified) return { outcome: 'wrong' };
    return { outcome: 'verified', profile: read.data.profile ?? {} };
  }

  async function askInPlace(
    memberId: number,
    email: string,
    password: string,
  ): Promise<LegacyAnswer | { readonly reason: string }> {
    const token = randomId();
    const nowMs = now();
    const lease = { ...PLACES, token, nowMs, untilMs: nowMs + PLACE_MS, pick: randomInt };
    const place = await takePlace(db, lease);
    if (place === undefined) return { outcome: 'busy' };
    const startedMs = performance.now();
    const answered = await post(email, password);
    await releasePlace(db, { place, token });
    const durationMs = Math.round(performance.now() - startedMs);
    if ('outcome' in answered)
      log.notice('legacy.answered', { id: memberId, outcome: answered.outcome, durationMs });
    return answered;
  }

  return {
    isOn: () => now() < untilMs,
    isAnswering: () => now() - failedAtMs >= FAILURE_KNOWN_MS,
    count: (outcome) => metrics.countLegacySignIn(outcome),
    async ask({ memberId, email, password }) {
      let answered: LegacyAnswer | { readonly reason: string } = { outcome: 'busy' };
      if (open < MOST_AT_ONCE) {
        open += 1;
        try {
          answered = await askInPlace(memberId, email, password);
        } finally {
          open -= 1;
        }
      }
      const isAnswer =
        'outcome' in answered && (answered.outcome === 'verified' || answered.outcome === 'wrong');
      failedAtMs = isAnswer ? Number.NEGATIVE_INFINITY : now();
      if ('reason' in answered) {
        const detail =
          'the system at LEGACY_SIGN_IN_URL did not answer as docs/importing.md says; first sign-ins of members without a password are refused';
        log.warning('legacy.unanswered', { detail, reason: answered.reason });
        return { outcome: 'failed' };
      }
      return answered;
    },
  };
}

/** The form of Standard Webhooks; the key of a secret in another form is its bytes. */
function signingSecret(given: string): string {
  return given.startsWith(SECRET_PREFIX) ? given : `${SECRET_PREFIX}${Buffer.from(given).toString('base64')}`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
