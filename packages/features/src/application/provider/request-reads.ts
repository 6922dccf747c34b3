import type * as library from 'oidc-provider';
import type { Services } from '../../core/context.js';
import type { StandingGrant } from '../../core/guard/grant-standing.js';
import { standingGrant } from '../../core/guard/stored-grants.js';
import { type ClientDocumentAnswer, findClientDocument } from './client-document.js';
import { contextOf } from './provider-context.js';

/** The endpoints at which an application that may already be known proves its identity. */
const AUTHENTICATED: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/introspect', '/oauth/revoke']);

/** Requests that only read, and decide as of one moment after their body has arrived. */
const READING: ReadonlySet<string> = new Set(['/oauth/introspect', '/oauth/userinfo']);

interface RequestReads {
  /** Whether the request may be the first from an application. */
  begins(): boolean;
  /** Whether the request is one in which an application proves its identity. */
  authenticates(): boolean;
  /** The metadata of an application. The library looks again if it was given none. */
  clientDocument(clientId: string): Promise<ClientDocumentAnswer>;
  /** Resolves once every change committed before the request asks is visible. */
  current(): Promise<void>;
  /** What a grant rests on, if it is valid now. */
  standingGrant(grantDigest: string): Promise<StandingGrant | undefined>;
}

interface Asked {
  readonly current: Promise<void>;
  readonly grants: Map<string, Promise<StandingGrant | undefined>>;
}

/** What the library reads several times in one request. A read-only request reads it once. */
export function createRequestReads(
  services: Services,
  { Provider }: Pick<typeof library, 'Provider'>,
): RequestReads {
  const asked = new WeakMap<object, Asked>();
  const documents = new WeakMap<object, { clientId: string; answer: Promise<ClientDocumentAnswer> }>();

  function askedBy(): Asked | undefined {
    const koa = Provider.ctx;
    if (koa === undefined || !READING.has(koa.path)) return undefined;
    const known = asked.get(koa.req);
    if (known !== undefined) return known;
    const first = { current: services.access.current(), grants: new Map() };
    asked.set(koa.req, first);
    return first;
  }

  return {
    begins() {
      const path = Provider.ctx?.path ?? '';
      return path === '/oauth/par' || path === '/oauth/authorize' || path.startsWith('/oauth/authorize/');
    },
    authenticates: () => AUTHENTICATED.has(Provider.ctx?.path ?? ''),
    clientDocument(clientId) {
      const koa = Provider.ctx;
      if (koa === undefined) throw new Error('Documents are read for requests alone');
      const known = documents.get(koa.req);
      if (known?.clientId === clientId) return known.answer;
      const { address } = contextOf(koa).call;
      const answer = findClientDocument(services, { clientId, address });
      documents.set(koa.req, { clientId, answer });
      return answer;
    },
    current: () => askedBy()?.current ?? services.access.current(),
    standingGrant(grantDigest) {
      const grants = askedBy()?.grants;
      const known = grants?.get(grantDigest);
      if (known !== undefined) return known;
      const found = standingGrant(services, grantDigest);
      grants?.set(grantDigest, found);
      return found;
    },
  };
}
