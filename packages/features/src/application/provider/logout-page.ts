import type { Locale } from '@gatehouse/db/tables/member-tables';
import { escapeHtml, type Page } from '@gatehouse/http/pages/html-page';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { z } from 'zod';
import { endCallerSession } from '../../authentication/session/end-sessions.js';
import type { Context } from '../../core/context.js';
import { isolated } from '../../pages/isolated.js';
import { koaLocale, showPage } from './provider-context.js';
import { requireVisitor, type Visitor } from './visitor.js';

/** Ends the session of a visitor, and removes its cookie. */
export async function endVisit(ctx: Context, koa: KoaContextWithOIDC, visitor: Visitor): Promise<void> {
  await endCallerSession({ ...ctx, caller: visitor, authorize: requireVisitor });
  koa.append('Set-Cookie', ctx.services.cookies.forget('session'));
}

const WORDS = {
  en: {
    ask: 'Sign out?',
    from: (name: string) => `${name} wants to sign you out.`,
    everywhere: 'You will be signed out here and in the apps you opened with this sign-in.',
    button: 'Sign out',
    done: 'You are signed out',
    close: 'You can close this page.',
  },
  de: {
    ask: 'Abmelden?',
    from: (name: string) => `${name} möchte dich abmelden.`,
    everywhere: 'Du wirst hier und in den Apps abgemeldet, die du mit dieser Anmeldung geöffnet hast.',
    button: 'Abmelden',
    done: 'Du bist abgemeldet',
    close: 'Du kannst diese Seite schließen.',
  },
};

/**
 * The page of RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). It does not ask if the application proves with an ID
 * token that it signed in this visitor in this session.
 */
export async function logoutForm(koa: KoaContextWithOIDC, form: string): Promise<void> {
  const { client, session } = koa.oidc;
  if (client !== undefined && session !== undefined && isOfSession(koa)) {
    const { postLogoutRedirectUri, state } = asked(session.state);
    await session.destroy();
    koa.status = 303;
    koa.redirect(leadingTo(postLogoutRedirectUri ?? koa.oidc.urlFor('end_session_success'), state));
    return;
  }
  const language = koaLocale(koa);
  const words = WORDS[language];
  const name = client?.clientName;
  const lines = [
    ...(name === undefined ? [] : [`<p>${escapeHtml(words.from(isolated(name)))}</p>`]),
    `<p>${words.everywhere}</p>`,
    form.replace(
      '</form>',
      `<button type="submit" name="logout" value="yes">${words.button}</button></form>`,
    ),
  ];
  showPage(koa, { title: words.ask, body: lines.join('\n'), language });
}

/** What the library keeps of a request to sign out. */
const keptRequest = z.object({ postLogoutRedirectUri: z.string().optional(), state: z.string().optional() });

function asked(state: unknown): z.output<typeof keptRequest> {
  return keptRequest.safeParse(state).data ?? {};
}

/** Whether the ID token of a request was issued in the session of its visitor. */
function isOfSession({ oidc: { client, entities, session } }: KoaContextWithOIDC): boolean {
  const sid = entities.IdTokenHint?.payload['sid'];
  return client !== undefined && sid !== undefined && sid === session?.sidFor(client.clientId);
}

/** The address of an application after a sign-out. */
export function leadingTo(uri: string, state: string | undefined): string {
  const url = new URL(uri);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

/** The page after a sign-out without a return address. */
export function signedOutPage(language: Locale): Page {
  const words = WORDS[language];
  return { title: words.done, body: `<p>${words.close}</p>`, language };
}
