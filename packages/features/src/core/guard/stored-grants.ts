import { findOauthArtifact, type OauthArtifact } from '@gatehouse/db/queries/oauth-artifacts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { AccessDirectory } from '../access/access-directory.js';
import { createMemberMemo } from '../access/create-member-memo.js';
import type { Services } from '../context.js';
import { type GrantFacts, grantFacts, type StandingGrant, standing } from './grant-standing.js';

const payloads = z.looseObject({});

/** What may be read of a token or a grant. */
export type OauthFacts = z.output<typeof payloads>;

interface Stored {
  readonly row: Omit<OauthArtifact, 'payload'>;
  readonly facts: OauthFacts;
  /** What a grant rests on. */
  readonly grant: GrantFacts | undefined;
}

type ArtifactKey = Pick<OauthArtifact, 'model' | 'digest'>;

/** Access tokens and grants of members and machines. Each is read once on a node while nothing about its member changes. */
export interface StoredGrants {
  /** An access token or a grant, revoked and expired ones included. The caller has awaited `access.current()`. */
  find(key: ArtifactKey): Promise<Stored | undefined>;
  /** Whether this node remembers whose a token or a grant is. */
  knows(key: ArtifactKey): boolean;
  /** Remembers whose a token or a grant is, which never changes. */
  note(key: ArtifactKey, memberId: number): void;
}

/** What an encrypted payload is bound to. */
export const payloadContext = ({ model, digest }: ArtifactKey) => `oauth:${model}:${digest}`;

/** Decrypts what is stored of a token, a grant or an interaction. */
export function openPayload({ cipher }: Pick<Services, 'cipher'>, row: OauthArtifact): OauthFacts {
  return payloads.parse(JSON.parse(cipher.open(row.payload, payloadContext(row))));
}

const KNOWN_HOLDERS = 50_000;

const opened = new WeakMap<AccessDirectory, StoredGrants>();

/** The tokens and grants of these services. */
export function storedGrants(services: Pick<Services, 'access' | 'cipher' | 'db' | 'now'>): StoredGrants {
  const known = opened.get(services.access);
  if (known !== undefined) return known;
  const made = openStoredGrants(services);
  opened.set(services.access, made);
  return made;
}

function openStoredGrants(services: Pick<Services, 'access' | 'cipher' | 'db' | 'now'>): StoredGrants {
  const { access, db, now } = services;
  const holders = new LRUCache<string, number>({ maxSize: KNOWN_HOLDERS, sizeCalculation: () => 1 });
  const kept = createMemberMemo<Stored>();

  async function read(key: ArtifactKey): Promise<Stored | undefined> {
    const row = await findOauthArtifact(db, key);
    if (row === undefined) return undefined;
    const facts = openPayload(services, row);
    const { payload: _payload, ...rest } = row;
    const grant = row.model === 'Grant' ? grantFacts.safeParse(facts).data : undefined;
    return { row: rest, facts, grant };
  }

  return {
    async find(key) {
      const name = payloadContext(key);
      const holder = holders.get(name);
      if (holder === undefined) {
        const found = await read(key);
        const memberId = found?.row.memberId;
        if (memberId) holders.set(name, memberId);
        return found;
      }
      const member = await access.member(holder);
      if (member === undefined) return undefined;
      const found = await kept(member, name, () => read(key));
      // A grant that has expired is removed without a change, and may be given again.
      return found !== undefined && found.row.expiresAtMs <= now() ? read(key) : found;
    },
    knows: (key) => holders.has(payloadContext(key)),
    note(key, memberId) {
      holders.set(payloadContext(key), memberId);
    },
  };
}

/** A grant with what it depends on, if it is valid now. The caller has awaited `access.current()`. */
export async function standingGrant(
  services: Parameters<typeof standing>[0] & Pick<Services, 'cipher'>,
  grantDigest: string,
): Promise<StandingGrant | undefined> {
  const found = await storedGrants(services).find({ model: 'Grant', digest: grantDigest });
  // A revoked one stays stored, so that nothing that comes from it becomes valid again.
  if (found?.grant === undefined || found.row.consumedAtMs !== null) return undefined;
  if (found.row.expiresAtMs <= services.now()) return undefined;
  return standing(services, found.grant);
}
