import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { personNameSchema, randomId } from '@gatehouse/auth-core';
import { isPlaceFree, type PlaceTaken, releasePlace, takePlace } from '@gatehouse/db/queries/shared-places';
import { SECRET_PREFIX, signatureHeaders } from '@gatehouse/runtime/network/signature-headers';
import { z } from 'zod';
import type { ApplicationType, Services } from '../core/context.js';
import {
  LEGACY_PLACE_WAIT_MS,
  LEGACY_TIMEOUT_MS,
  type LegacyAnswer,
  type LegacySignIn,
} from '../core/legacy-sign-in.js';

/** The maximum number of open requests, of all nodes together. */
const MOST_AT_ONCE = 10;

/** A place is free again after three times the time-out, if the node that took it died. */
const PLACES = { prefix: 'legacy-sign-in', count: MOST_AT_ONCE, mostMs: 3 * LEGACY_TIMEOUT_MS };

/** How often a request looks for a place. */
const LOOK_EVERY_MS = 150;

const MAX_ANSWER_BYTES = 16_384;

/** How long it is remembered that a request got no answer, or no place. */
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

/** Undefined if it is not configured, and in the admin service: staff have their passwords here. */
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
  /** The members about whom this node asks now; if there are ten already, the shared places are not read. */
  const open = new Set<number>();

  /** Looks until `isDone`, or until the time is up. Returns what it saw last. */
  async function lookUntil<Seen>(look: () => Promise<Seen>, isDone: (seen: Seen) => boolean): Promise<Seen> {
    const endMs = performance.now() + LEGACY_PLACE_WAIT_MS;
    for (;;) {
      const seen = await look();
      // Not always after the same time: two nodes would keep taking each other's places for the same member.
      const laterMs = LOOK_EVERY_MS / 2 + randomInt(LOOK_EVERY_MS);
      if (isDone(seen) || performance.now() + laterMs > endMs) return seen;
      await pause(laterMs);
    }
  }

  async function lookForPlace(memberId: number): Promise<PlaceTaken> {
    if (open.size >= MOST_AT_ONCE) return 'full';
    if (open.has(memberId)) return (await isPlaceFree(db, PLACES)) ? 'held' : 'full';
    open.add(memberId);
    let taken: PlaceTaken = 'full';
    try {
      const token = randomId();
      taken = await takePlace(db, { ...PLACES, holder: String(memberId), token, pick: randomInt });
    } finally {
      if (typeof taken === 'string') open.delete(memberId);
    }
    return taken;
  }

  async function post(
    email: string,
    password: string,
    wholeMs: number,
  ): Promise<LegacyAnswer | { readonly reason: string }> {
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
      wholeMs,
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
    const wantedMs = performance.now();
    const taken = await lookUntil(
      () => lookForPlace(memberId),
      (seen) => typeof seen !== 'string',
    );
    if (taken === 'full') return { outcome: 'busy' };
    if (taken === 'held') return { outcome: 'crowded' };
    const startedMs = performance.now();
    const waitedMs = Math.round(startedMs - wantedMs);
    let answered: LegacyAnswer | { readonly reason: string };
    try {
      answered = await post(email, password, Math.max(1, LEGACY_TIMEOUT_MS - waitedMs));
    } finally {
      open.delete(memberId);
      await releasePlace(db, taken);
    }
    const durationMs = Math.round(performance.now() - startedMs);
    if ('outcome' in answered)
      log.notice('legacy.answered', { id: memberId, outcome: answered.outcome, durationMs });
    return answered;
  }

  return {
    isOn: () => now() < untilMs,
    async waitForPlace() {
      const isFree = await lookUntil(
        async () => open.size < MOST_AT_ONCE && (await isPlaceFree(db, PLACES)),
        (seen) => seen,
      );
      if (!isFree) failedAtMs = now();
    },
    isAnswering: () => now() - failedAtMs >= FAILURE_KNOWN_MS,
    count: (outcome) => metrics.countLegacySignIn(outcome),
    async ask({ memberId, email, password }) {
      const answered = await askInPlace(memberId, email, password);
      // An answer does not end this sooner: otherwise the next refusals would differ by member.
      if ('reason' in answered || answered.outcome === 'busy') failedAtMs = now();
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
