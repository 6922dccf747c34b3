import type { SocialProvider } from '@gatehouse/features/core/social-providers/social-provider';
import { socialVariables } from '@gatehouse/features/core/social-providers/social-providers';

/** The suffixes of the variables that are grouped in `.env.example`. */
const GROUPS = {
  credentials: 'CLIENT_ID|CLIENT_SECRET',
  scopes: 'SCOPES',
  addresses: '(?:AUTHORIZATION|TOKEN|PROFILE|ORGANIZATIONS)_URL',
} as const;

/** `.env.example` with the variables of these providers instead of its own. */
export function renderProviderVariables(example: string, providers: readonly SocialProvider[]): string {
  let text = example;
  for (const group of ['credentials', 'scopes', 'addresses'] as const) {
    const names = providers.flatMap((provider) => Object.keys(socialVariables(provider)[group]));
    const lines = names.map((name) => `# ${name}=\n`).join('');
    text = replaceOnce(text, new RegExp(`(?:^# [A-Z]+_(?:${GROUPS[group]})=\\n)+`, 'm'), lines);
  }
  return text;
}

const HEADING = '| | Number | Scopes | PKCE | Vouches for addresses |\n|---|---|---|---|---|\n';

/** docs/social.md with these providers as its table. */
export function renderProviderTable(document: string, providers: readonly SocialProvider[]): string {
  const rows = providers.map(
    ({ name, providerId, scopes, usesPkce, vouching }) =>
      `| ${name} | ${providerId} | \`${scopes.join(' ')}\` | ${usesPkce ? 'S256' : 'no'} | ${vouching} |\n`,
  );
  const table = new RegExp(`${HEADING.replaceAll('|', '\\|')}(?:\\|.*\\n)*`);
  return replaceOnce(document, table, `${HEADING}${rows.join('')}`);
}

function replaceOnce(text: string, part: RegExp, by: string): string {
  if (!part.test(text)) throw new Error(`There is no ${part.source}`);
  return text.replace(part, () => by);
}
