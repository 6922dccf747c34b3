import type { ServerResponse } from 'node:http';
import { findClient } from '@gatehouse/db/queries/applications';
import { sendJson } from '@gatehouse/http/rest/reply';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawAbout, RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { introspection } from '../../authentication/access-token/introspect-token.js';
import { visitorLocale } from '../../core/accepted-locale.js';
import type { Context } from '../../core/context.js';
import { limitPerAddress } from '../../core/rate-limit/count-attempt.js';
import { sendProductPage } from '../../pages/product-page.js';
import { introspectKnownToken } from './introspect-known-token.js';
import { leadingTo, signedOutPage } from './logout-page.js';
import { openProvider } from './open-provider.js';
import { findVisitor } from './visitor.js';
import { DEVICE_GRANT } from './with-device-codes.js';

/** What pages of applications call from their own origins. */
export const APPLICATION_PATHS: ReadonlySet<string> = new Set([
  '/oauth/revoke',
  '/oauth/token',
  '/oauth/userinfo',
]);

const FORM = ['application/x-www-form-urlencoded'];
const FORM_OR_JSON = [...FORM, 'application/json'];

const text = z.string().optional();

const failure = z.looseObject({ error: z.string(), error_description: z.string().optional() });

const json = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': schema },
});

const refused = { 400: json('Refused, in the form of RFC 6749, section 5.2', failure) };

const refusedClient = { ...refused, 401: json('The application did not prove who it is', failure) };

const authorizeFields = z.object({
  client_id: z.string(),
  redirect_uri: text,
  response_type: z.literal('code').optional(),
  scope: text,
  state: text,
  nonce: text,
  code_challenge: text,
  code_challenge_method: z.literal('S256').optional(),
  prompt: text,
  max_age: text,
  response_mode: text,
  /** The organization that the application wants to act in. */
  account: text,
  acr_values: text,
  claims: text,
  id_token_hint: text,
  login_hint: text,
  ui_locales: text,
  request_uri: text,
});

const clientFields = {
  client_id: text,
  client_secret: text,
  client_assertion: text,
  client_assertion_type: z.literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer').optional(),
};

const tokenFields = z.object({
  ...clientFields,
  grant_type: z.enum(['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT]),
  device_code: text,
  code: text,
  redirect_uri: text,
  code_verifier: text,
  refresh_token: text,
  scope: text,
});

const tokens = z.looseObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  scope: text,
  id_token: text,
  refresh_token: text,
});

const deviceFields = z.object({
  client_id: z.string(),
  scope: text,
  max_age: text,
  /** The organization that the application wants to act in. */
  account: text,
});

const deviceCodes = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int(),
  interval: z.int(),
});

const logoutFields = z.object({
  id_token_hint: text,
  client_id: text,
  post_logout_redirect_uri: text,
  state: text,
});

const back = { 303: { description: 'Back to the application, or on to a page of ours' } };

const pages = { 200: { description: 'A page', content: { 'text/html': z.string() } }, ...back };

/** JSON for those who prefer it to a page. */
const badPage = {
  400: {
    description: 'A page that says why not',
    content: { 'text/html': z.string(), 'application/json': failure },
  },
};

/** Rows of the OpenID provider, whose library answers them (OpenID Connect Core 1.0, RFC 6749, 7009, 8414, 9126). */
export const providerEndpoints = {
  discovery: ofProvider('What applications need to know to sign people in here', {
    answers: { 200: json('OpenID Connect Discovery 1.0, RFC 8414', z.looseObject({ issuer: z.string() })) },
  }),
  authorize: {
    ...ofProvider('Where applications send people to sign in', {
      query: authorizeFields,
      answers: { ...back, ...badPage },
      refuses: ['rate_limited'],
    }),
    handle: answerAuthorize,
  },
  authorizeByForm: {
    ...ofProvider('Where applications send people to sign in, by a form', {
      // A page says what is missing.
      body: { types: FORM_OR_JSON, schema: authorizeFields.partial() },
      answers: back,
      refuses: ['invalid_input', 'payload_too_large', 'unsupported_media_type'],
    }),
    handle: asQuery('/oauth/authorize', authorizeFields),
  },
  resume: ofProvider('Goes on with a sign-in after a page of ours', {
    params: z.object({ uid: z.string() }).shape,
    answers: { ...back, ...badPage },
  }),
  par: ofProvider('Takes an authorization request in advance (RFC 9126)', {
    body: { types: FORM, schema: authorizeFields.extend(clientFields) },
    answers: {
      201: json('Where to send the person with', z.object({ request_uri: z.string(), expires_in: z.int() })),
      ...refusedClient,
    },
  }),
  device: ofProvider('Begins the sign-in of a device that has no browser (RFC 8628)', {
    body: { types: FORM, schema: deviceFields },
    answers: { 200: json('The codes of the device', deviceCodes), ...refusedClient },
  }),
  token: ofProvider(
    'Exchanges a code, a refresh token, a device code or the secret of a machine for tokens',
    {
      body: { types: FORM, schema: tokenFields },
      answers: { 200: json('The tokens', tokens), ...refusedClient },
    },
  ),
  userinfo: ofProvider('What an application may know of the person', {
    security: 'applicationToken',
    answers: { 200: json('The claims', z.looseObject({ sub: z.string() })), ...refusedClient },
  }),
  introspect: {
    ...introspection,
    summary: 'Tell an API of the product, or an application, whether a token counts now',
    about: {
      ...introspection.about,
      answers: { ...introspection.about.answers, ...refusedClient },
    },
    handle: (exchange) =>
      isBearer(exchange.ctx) ? introspection.handle(exchange) : answerIntrospection(exchange),
  } satisfies RawEndpoint<Context>,
  revoke: ofProvider('Ends a token and what came with it (RFC 7009)', {
    body: { types: FORM, schema: z.object({ ...clientFields, token: z.string(), token_type_hint: text }) },
    answers: { 200: { description: 'Ended, or it was none of this application' }, ...refusedClient },
  }),
  logout: {
    ...ofProvider('Where applications send people to sign out', {
      query: logoutFields,
      answers: { ...pages, ...badPage },
    }),
    handle: answerLogout,
  },
  logoutByForm: {
    ...ofProvider('Where applications send people to sign out, by a form', {
      body: { types: FORM_OR_JSON, schema: logoutFields },
      answers: back,
      refuses: ['invalid_input', 'payload_too_large', 'unsupported_media_type'],
    }),
    handle: asQuery('/oauth/logout', logoutFields),
  },
  confirmLogout: ofProvider('Signs out, and returns to the application', {
    body: { types: FORM, schema: z.object({ xsrf: z.string(), logout: text }) },
    answers: { ...back, ...badPage },
  }),
  afterLogout: ofProvider('The page after a sign-out', { answers: { ...pages, ...badPage } }),
};

function ofProvider(
  summary: string,
  about: Omit<RawAbout, 'tag' | 'refuses'> & Partial<Pick<RawAbout, 'refuses'>>,
): RawEndpoint<Context> {
  return {
    summary,
    about: { tag: 'oauth', refuses: [], ...about },
    handle: answerByProvider,
  };
}

/** Keys of machines are bearers. Applications send their id and secret in another way. */
function isBearer({ call }: Context): boolean {
  return /^bearer(?: |$)/i.test(call.header('authorization') ?? '');
}

async function answerIntrospection(exchange: RawExchange<Context>): Promise<void> {
  const { ctx, request, response } = exchange;
  const known = await introspectKnownToken(ctx.services, request);
  if (known === undefined) return answerByProvider(exchange);
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 200, known);
}

async function answerByProvider({ ctx, request, response }: RawExchange<Context>): Promise<void> {
  const { answer } = await openProvider(ctx.services);
  await answer({ ctx, request, response });
}

/** Strangers begin sign-ins, which are stored for an hour. */
async function answerAuthorize(exchange: RawExchange<Context>): Promise<void> {
  const { ctx } = exchange;
  const most = ctx.services.config.FLOWS_PER_ADDRESS;
  if ((await findVisitor(ctx, ctx.services.access)) === undefined)
    await limitPerAddress(ctx, { name: 'oauth-authorize', most, windowMs: 15 * 60_000 });
  await answerByProvider(exchange);
}

/** A visitor without a session is signed out already, and returns to the application if it registered where. */
async function answerLogout(exchange: RawExchange<Context>): Promise<void> {
  const { ctx, query, response } = exchange;
  const { services } = ctx;
  if ((await findVisitor(ctx, services.access)) !== undefined) return answerByProvider(exchange);
  const clientId = query.get('client_id') ?? audienceOf(query.get('id_token_hint'));
  const application = clientId === undefined ? undefined : await findClient(services.db, clientId);
  const uri = query.get('post_logout_redirect_uri');
  const isKnown =
    uri !== null && application?.active === true && application.postLogoutRedirectUris.includes(uri);
  if (isKnown) return redirect(response, leadingTo(uri, query.get('state') ?? undefined));
  sendProductPage(ctx, response, signedOutPage(visitorLocale(ctx.call)));
}

/** The application that an ID token names. Where it may lead to is registered, so the signature need not be checked. */
function audienceOf(idToken: string | null): string | undefined {
  const [, payload = ''] = idToken?.split('.') ?? [];
  try {
    const { aud } = z
      .object({ aud: z.string() })
      .parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return aud;
  } catch {
    return undefined;
  }
}

/** Sends the known fields of a form on as an address, with which browsers send the cookie of the session. */
function asQuery(path: string, { shape }: z.ZodObject) {
  return async ({ request, response }: RawExchange<Context>): Promise<void> => {
    const fields = await bodyFields(request, response, { form: true });
    const texts = Object.entries(fields).filter(
      (field): field is [string, string] => Object.hasOwn(shape, field[0]) && typeof field[1] === 'string',
    );
    redirect(response, `${path}?${new URLSearchParams(texts).toString()}`);
  };
}

function redirect(response: ServerResponse, to: string): void {
  response.statusCode = 303;
  response.setHeader('Location', to);
  response.end();
}
