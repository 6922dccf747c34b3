import { PROVIDER_KEYS } from './dialect.js';
import { type Person, ROBIN } from './person.js';

/**
 * Answers a simulated provider's consent page as a person would, without showing it.
 * @param authorizationUrl the URL to which the application redirected the browser
 * @returns the callback URL to which the provider redirects the browser
 */
export async function giveConsent(
  authorizationUrl: string,
  answer: { person?: Partial<Person>; decision?: 'allow' | 'deny' } = {},
): Promise<string> {
  const url = new URL(authorizationUrl);
  const page = await fetch(url);
  if (!page.ok) throw new Error(`The provider refused the request: ${await page.text()}`);
  await page.arrayBuffer();
  const key = PROVIDER_KEYS.find((each) => url.pathname.startsWith(`/${each}/`));
  const person = { ...ROBIN, ...answer.person };
  const response = await fetch(new URL(`/${key}/consent`, url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      ...person,
      isEmailVerified: String(person.isEmailVerified),
      query: url.searchParams.toString(),
      decision: answer.decision ?? 'allow',
    }),
  });
  const location = response.headers.get('location');
  if (location === null)
    throw new Error(`The provider did not send the browser back: ${await response.text()}`);
  // Browsers keep a fragment to themselves.
  return location.replace(/#.*$/, '');
}
