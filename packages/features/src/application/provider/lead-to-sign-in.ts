import { pageAnswer } from '@gatehouse/http/pages/html-page';
import type { RawAbout, RawExchange } from '@gatehouse/http/rest/route';
import type { Context } from '../../core/context.js';
import { sendProductPage } from '../../pages/product-page.js';
import type { ConsentWords } from './consent-words.js';

/** Adds to the description of a page the answers of `leadToSignIn`. */
export function withSignInFirst(about: RawAbout): RawAbout {
  const location = { Location: 'The screen of the portal that signs in.' };
  return {
    ...about,
    answers: {
      ...about.answers,
      303: { description: 'To sign in first, where this service has a portal', headers: location },
      401: pageAnswer('To sign in first, where it has none'),
    },
  };
}

/** Leads to the screen of the portal that signs in, and to `next` afterwards. Without a portal it says what to do. */
export function leadToSignIn(
  { ctx, response }: Pick<RawExchange<Context>, 'ctx' | 'response'>,
  {
    next,
    isSignedIn,
    words,
    language,
  }: {
    readonly next: string;
    readonly isSignedIn: boolean;
    readonly words: ConsentWords;
    readonly language: string;
  },
): Promise<void> {
  const { config, cookies, servesPortal } = ctx.services;
  if (servesPortal) {
    // The session that the browser has is not enough, so the screen must not offer to continue with it.
    const again = cookies.readSession(ctx.call.header('cookie')) === undefined ? {} : { again: '1' };
    const query = new URLSearchParams({ next, ...again });
    response.statusCode = 303;
    response.setHeader('Location', `${config.BASE_URL}/portal/sign-in?${query.toString()}`);
    response.end();
  } else {
    const body = isSignedIn ? `<p>${words.signInAgain}</p>` : '';
    sendProductPage(ctx, response, { status: 401, title: words.signInFirst, body, language });
  }
  return Promise.resolve();
}
