import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ADMIN_STATEMENTS } from '../test/old-admin-endpoints-statements.js';
import { CONNECTION_STATEMENTS } from '../test/old-connections-statements.js';
import { FIELD_STATEMENTS } from '../test/old-fields-statements.js';
import { LOGIN_STATEMENTS } from '../test/old-logins-statements.js';
import { MAIN_STATEMENTS } from '../test/old-main-endpoints-statements.js';
import { PARTNER_STATEMENTS } from '../test/old-partners-statements.js';
import { ROLE_STATEMENTS } from '../test/old-roles-statements.js';
import { SOCIAL_STATEMENTS } from '../test/old-social-statements.js';
import type { OldStatement } from '../test/old-statement.js';
import { TOKEN_STATEMENTS } from '../test/old-tokens-statements.js';
import { type OldWorld, startOldWorld } from '../test/old-world.js';

const dialect = inject('dialect');

const CHAPTERS: readonly [name: string, statements: readonly OldStatement[]][] = [
  ['fields', FIELD_STATEMENTS],
  ['roles', ROLE_STATEMENTS],
  ['tokens', TOKEN_STATEMENTS],
  ['logins', LOGIN_STATEMENTS],
  ['social sign-ins', SOCIAL_STATEMENTS],
  ['social connections', CONNECTION_STATEMENTS],
  ['partners and payments', PARTNER_STATEMENTS],
  ['the main service', MAIN_STATEMENTS],
  ['the admin service', ADMIN_STATEMENTS],
];

/** The first cells of SECURITY.md's table of deliberate differences. */
const DECLARED = differencesIn(readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8'));

function differencesIn(text: string): string[] {
  const [, after = ''] = text.split('| What changed | Why |');
  const [table = ''] = after.split('\n\n');
  return table.split('\n').flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.[1] ?? []);
}

let world: OldWorld;
beforeAll(async () => {
  world = await startOldWorld(dialect);
});
afterAll(() => world[Symbol.asyncDispose]());

describe.each(CHAPTERS)('an old client, about %s', (_, statements) => {
  const holding = statements.filter(({ differs }) => differs === undefined);
  const differing = statements.filter(({ differs }) => differs !== undefined);

  it.each(holding)('still finds that $says', async ({ ask, answers }) => {
    expect(await ask(world)).toMatchObject(answers as object);
  });

  it.each(differing)(
    'no longer finds that $says, as SECURITY.md declares',
    async ({ ask, answers, differs = '' }) => {
      expect(DECLARED.filter((row) => row.startsWith(differs))).toHaveLength(1);
      expect(await ask(world)).toMatchObject(answers as object);
    },
  );
});
