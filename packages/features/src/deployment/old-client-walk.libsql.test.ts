// @module-tag slow

import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ADMIN_STATEMENTS } from '../test/old-admin-endpoints-statements.js';
import { AFFILIATE_STATEMENTS } from '../test/old-affiliates-statements.js';
import { CONNECTION_STATEMENTS } from '../test/old-connections-statements.js';
import { FIELD_STATEMENTS } from '../test/old-fields-statements.js';
import { GUARD_STATEMENTS } from '../test/old-guards-statements.js';
import { LIFETIME_STATEMENTS } from '../test/old-lifetimes-statements.js';
import { LIMIT_STATEMENTS } from '../test/old-limits-statements.js';
import { LOGIN_STATEMENTS } from '../test/old-logins-statements.js';
import { MAIN_STATEMENTS } from '../test/old-main-endpoints-statements.js';
import { PARTNER_STATEMENTS } from '../test/old-partners-statements.js';
import { PAYMENT_STATEMENTS } from '../test/old-payments-statements.js';
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
  ['lifetimes', LIFETIME_STATEMENTS],
  ['guards', GUARD_STATEMENTS],
  ['logins', LOGIN_STATEMENTS],
  ['social sign-ins', SOCIAL_STATEMENTS],
  ['social connections', CONNECTION_STATEMENTS],
  ['partners', PARTNER_STATEMENTS],
  ['payments', PAYMENT_STATEMENTS],
  ['the main service', MAIN_STATEMENTS],
  ['the admin service', ADMIN_STATEMENTS],
  ['affiliates and analyses', AFFILIATE_STATEMENTS],
  ['limits', LIMIT_STATEMENTS],
];

/** The first cells of SECURITY.md's table of deliberate differences. */
const DECLARED = differencesIn(readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8'));

function differencesIn(text: string): string[] {
  const [, after = ''] = text.split('| What changed | Why |');
  const [table = ''] = after.split('\n\n');
  return table.split('\n').flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.[1] ?? []);
}

/** Differences that no request shows, with the tests of them. */
const OF_NO_REQUEST: Readonly<Record<string, string>> = {
  'Short or published secrets stop the start': 'packages/features/src/core/config.test.ts',
};

let world: OldWorld;
beforeAll(async () => {
  world = await startOldWorld(dialect);
});
afterAll(() => world[Symbol.asyncDispose]());

describe.each(CHAPTERS)('an older client, about %s', (_, statements) => {
  const named = statements.map((statement) => [statement.says, statement] as const);

  it.each(named.filter(([, { differs }]) => differs === undefined))(
    'still finds that %s',
    async (__, { ask, answers }) => {
      expect(await ask(world)).toMatchObject(answers as object);
    },
  );

  it.each(named.filter(([, { differs }]) => differs !== undefined))(
    'no longer finds, as SECURITY.md declares, that %s',
    async (__, { ask, answers, differs = '' }) => {
      expect(DECLARED.filter((row) => row.startsWith(differs))).toHaveLength(1);
      expect(await ask(world)).toMatchObject(answers as object);
    },
  );
});

it.each(DECLARED)('an older client meets the difference that SECURITY.md declares: %s', (row) => {
  const named = CHAPTERS.flatMap(([, statements]) => statements.flatMap(({ differs }) => differs ?? []));
  const elsewhere = Object.entries(OF_NO_REQUEST).filter(([start]) => row.startsWith(start));
  expect(elsewhere.every(([, test]) => existsSync(new URL(`../../../../${test}`, import.meta.url)))).toBe(
    true,
  );
  expect(named.some((start) => row.startsWith(start)) || elsewhere.length === 1).toBe(true);
});
