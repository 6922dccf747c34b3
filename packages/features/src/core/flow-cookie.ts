import { hkdfSync } from 'node:crypto';
import { createDataCipher, type DataCipher, SealedDataRefused, sha256Hex } from '@gatehouse/auth-core';
import type { z } from 'zod';
import type { Services } from './context.js';

/** How long a browser may be at another site, in milliseconds. */
export const FLOW_LIFE_MS = 10 * 60_000;

/** A flow through another site, as the browser that began it keeps it. */
interface Flow {
  /** What the other site has to return. */
  readonly state: string;
  readonly expiresAtMs: number;
}

/** What decides about cookies that only this service reads, not the main one. */
export const onOwnHost = ({ SESSION_SECRET, BASE_URL }: Services['config']) => ({ SESSION_SECRET, BASE_URL });

/** Stores flows in browsers, encrypted, each in a cookie of its own for ten minutes, so that two tabs do not disturb each other. */
export interface FlowCookie<Kept extends Flow> {
  /** The Set-Cookie headers that store a flow; of those in the Cookie header the oldest go if there are many. */
  keep(party: string, flow: Kept, header: string | undefined): string[];
  /** The Set-Cookie header that removes the flow with a state. */
  forget(party: string, state: string): string;
  /** The flow with a state in a Cookie header; undefined without a valid one for this party. */
  read(party: string, state: string, header: string | undefined): Kept | undefined;
}

/** A browser sends all its flows with every request, so it keeps only so many with one party. */
const MAX_FLOWS = 4;

/**
 * The cookies of one kind of flows. The `__Host-` prefix (RFC 6265bis) prevents neighboring hosts from setting them.
 * @param kind the kind of flows: those of one kind are not valid for another
 */
export function createFlowCookie<Kept extends Flow>(
  config: Pick<Services['config'], 'BASE_URL' | 'MAIN_URL' | 'SESSION_SECRET'>,
  kind: 'social' | 'sso',
  schema: z.ZodType<Kept>,
): FlowCookie<Kept> {
  const isSecure = (config.MAIN_URL ?? config.BASE_URL).startsWith('https:');
  const cipher = flowCipher(config.SESSION_SECRET, kind);
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])];
  const prefixOf = (party: string) => `${isSecure ? '__Host-' : ''}gatehouse-${kind}-${party}-`;
  const nameOf = (party: string, state: string) => `${prefixOf(party)}${sha256Hex(state).slice(0, 16)}`;
  const set = (name: string, value: string, maxAgeSeconds: number) =>
    [`${name}=${value}`, `Max-Age=${maxAgeSeconds}`, ...attributes].join('; ');
  const contextOf = (party: string) => `${kind}Flow:${party}`;
  const open = (sealed: string, party: string): Kept | undefined => {
    try {
      return schema.parse(JSON.parse(cipher.open(sealed, contextOf(party))));
    } catch (error) {
      if (error instanceof SealedDataRefused) return undefined;
      throw error;
    }
  };

  return {
    keep(party, flow, header) {
      const sealed = cipher.seal(JSON.stringify(flow), contextOf(party));
      const others = cookiesIn(header)
        .filter(([name]) => name.startsWith(prefixOf(party)))
        .map(([name, value]) => ({ name, expiresAtMs: open(value, party)?.expiresAtMs ?? 0 }))
        .sort((left, right) => right.expiresAtMs - left.expiresAtMs)
        .slice(MAX_FLOWS - 1);
      return [
        set(nameOf(party, flow.state), sealed, FLOW_LIFE_MS / 1000),
        ...others.map(({ name }) => set(name, '', 0)),
      ];
    },
    forget: (party, state) => set(nameOf(party, state), '', 0),
    read(party, state, header) {
      const sealed = cookiesIn(header).find(([name]) => name === nameOf(party, state))?.[1];
      return sealed === undefined ? undefined : open(sealed, party);
    },
  };
}

function cookiesIn(header = ''): [name: string, value: string][] {
  return header.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')];
  });
}

function flowCipher(sessionSecret: string, kind: string): DataCipher {
  const key = hkdfSync('sha256', sessionSecret, '', `gatehouse ${kind} flow cookie`, 32);
  return createDataCipher({ key: Buffer.from(key).toString('base64') });
}
