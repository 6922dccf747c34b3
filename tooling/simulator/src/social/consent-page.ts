import { escapeHtml } from '@gatehouse/http/pages/html-page';
import { type Dialect, type Person, PROVIDER_KEYS, ROBIN } from './dialect.js';

const STYLE = `
body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;background:#eef1f5;color:#1c1c1a}
main{max-width:26rem;margin:0 auto;padding:2rem;background:#fff;border-radius:.75rem;border:1px solid #d5d9e0}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input:not([type=checkbox]){width:100%;box-sizing:border-box;padding:.5rem;font:inherit}
button{margin:1.5rem .75rem 0 0;padding:.6rem 1.25rem;font:inherit;font-weight:600}
.hint{font-size:.9rem;color:#55554f}
`;

/** The page where a person chooses who they are at this provider, and whether the application gets access. */
export function consentPage(
  dialect: Dialect,
  {
    action,
    query,
    person,
    scopes,
  }: { action: string; query: string; person: Person; scopes: readonly string[] },
): string {
  const field = (name: string, label: string, value: string) =>
    `<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${escapeHtml(value)}">`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">',
    `<title>Sign in with ${escapeHtml(dialect.name)} (simulated)</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(dialect.name)}, simulated</h1>`,
    '<p>Gatehouse wants to know who you are. It asks for:</p>',
    `<ul>${scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('')}</ul>`,
    `<form method="post" action="${escapeHtml(action)}">`,
    `<input type="hidden" name="query" value="${escapeHtml(query)}">`,
    field('id', 'Your id here', person.id),
    field('firstName', 'First name', person.firstName),
    field('lastName', 'Last name', person.lastName),
    field('email', 'E-mail address (may be empty)', person.email),
    `<label><input type="checkbox" name="isEmailVerified" value="true"${person.isEmailVerified ? ' checked' : ''}> The address is verified here</label>`,
    '<button type="submit" name="decision" value="allow">Allow</button>',
    '<button type="submit" name="decision" value="deny">Cancel</button>',
    '</form>',
    '<p class="hint">Nobody is asked anything outside this machine.</p>',
    '</main></body></html>',
  ].join('\n');
}

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
  // Browsers do not send a fragment.
  return location.replace(/#.*$/, '');
}
