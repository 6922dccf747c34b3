import { hkdfSync } from 'node:crypto';
import {
  createDataCipher,
  type DataCipher,
  randomId,
  SealedDataRefused,
  sha256Hex,
} from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { LOCALES } from '../core/member-view.js';
import type { SocialProvider } from '../core/social-providers/social-provider.js';
import { mainUrl } from './configured-provider.js';

/** How long the codes of social flows are valid, in milliseconds. */
export const CODE_LIFE_MS = 10 * 60_000;

/** A new one-use code of 256 bits, and its stored digest. */
export function newCode(): { code: string; stateKey: string } {
  const code = randomId(32);
  return { code, stateKey: codeKey(code) };
}

/** The digest under which a code is stored. */
export function codeKey(code: string): string {
  return sha256Hex(`socialCode:${code}`);
}

const flow = z.object({
  /** The state that the provider has to return. */
  state: z.string(),
  /** RFC 7636; null when the provider does not support PKCE. */
  codeVerifier: z.string().nullable(),
  /** The member and session that connect a provider; null for a sign-in. */
  connecting: z.object({ memberId: z.number(), sessionTokenKey: z.string() }).nullable(),
  /** The language of the page that began the flow. */
  locale: z.enum(LOCALES).optional(),
  expiresAtMs: z.number(),
});

/** One flow through a provider, as stored in the browser. */
export type SocialFlow = z.output<typeof flow>;

/** Stores flows in browsers, encrypted, each in a cookie of its own for ten minutes, so that two tabs do not disturb each other. */
interface FlowCookie {
  /** The Set-Cookie headers that store a flow; of those in the Cookie header the oldest go if there are many. */
  keep(provider: SocialProvider, flow: SocialFlow, header: string | undefined): string[];
  /** The Set-Cookie header that removes the flow with a state. */
  forget(provider: SocialProvider, state: string): string;
  /** The flow with a state in a Cookie header; undefined without a valid one for this provider. */
  read(provider: SocialProvider, state: string, header: string | undefined): SocialFlow | undefined;
}

/** A browser sends all its flows with every request, so it keeps only so many of one provider. */
const MAX_FLOWS = 4;

/** The `__Host-` prefix (RFC 6265bis) prevents neighbouring hosts from setting the cookie. */
export function createFlowCookie(config: Services['config']): FlowCookie {
  const isSecure = mainUrl(config).startsWith('https:');
  const cipher = flowCipher(config.SESSION_SECRET);
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])];
  const prefixOf = ({ key }: SocialProvider) => `${isSecure ? '__Host-' : ''}gatehouse-social-${key}-`;
  const nameOf = (provider: SocialProvider, state: string) =>
    `${prefixOf(provider)}${sha256Hex(state).slice(0, 16)}`;
  const set = (name: string, value: string, maxAgeSeconds: number) =>
    [`${name}=${value}`, `Max-Age=${maxAgeSeconds}`, ...attributes].join('; ');

  return {
    keep(provider, flow, header) {
      const sealed = cipher.seal(JSON.stringify(flow), contextOf(provider));
      const others = cookiesIn(header)
        .filter(([name]) => name.startsWith(prefixOf(provider)))
        .map(([name, value]) => ({ name, expiresAtMs: openFlow(cipher, value, provider)?.expiresAtMs ?? 0 }))
        .sort((left, right) => right.expiresAtMs - left.expiresAtMs)
        .slice(MAX_FLOWS - 1);
      return [
        set(nameOf(provider, flow.state), sealed, CODE_LIFE_MS / 1000),
        ...others.map(({ name }) => set(name, '', 0)),
      ];
    },
    forget: (provider, state) => set(nameOf(provider, state), '', 0),
    read(provider, state, header) {
      const sealed = cookiesIn(header).find(([name]) => name === nameOf(provider, state))?.[1];
      return sealed === undefined ? undefined : openFlow(cipher, sealed, provider);
    },
  };
}

function cookiesIn(header = ''): [name: string, value: string][] {
  return header.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')];
  });
}

function openFlow(cipher: DataCipher, sealed: string, provider: SocialProvider): SocialFlow | undefined {
  try {
    return flow.parse(JSON.parse(cipher.open(sealed, contextOf(provider))));
  } catch (error) {
    if (error instanceof SealedDataRefused) return undefined;
    throw error;
  }
}

function flowCipher(sessionSecret: string): DataCipher {
  const key = hkdfSync('sha256', sessionSecret, '', 'gatehouse social flow cookie', 32);
  return createDataCipher({ key: Buffer.from(key).toString('base64') });
}

function contextOf({ key }: SocialProvider): string {
  return `socialFlow:${key}`;
}
