import { describe, expect, it } from 'vitest';
import { chosenItems, itemsOf } from './items.js';

const LISTED = [
  { file: 'packages/db/src/outage.mysql.stress.test.ts', projectName: 'mariadb' },
  { file: 'packages/features/src/account/invitation/kills.stress.test.ts', projectName: 'mariadb' },
  { file: 'packages/features/src/account/invitation/kills.stress.test.ts', projectName: 'libsql' },
  { file: 'packages/features/src/login/login.test.ts', projectName: 'libsql' },
  { file: 'apps/portal/src/signed-in/you/security/security.browser.test.ts', projectName: 'browser' },
  { file: 'apps/portal/src/signed-in/you/data/data.browser.test.ts', projectName: 'browser' },
  { file: 'apps/portal/src/signed-in/you/data/data.browser.test.ts', projectName: 'browser-mariadb' },
  { file: 'packages/client-sdk/src/device-id.browser.test.ts', projectName: 'browser' },
  { file: 'apps/console/src/long-list.browser.stress.test.ts', projectName: 'browser' },
  { file: 'apps/api-main/src/rules.test.ts', projectName: 'libsql-prism' },
  { file: 'apps/api-main/src/tenants.test.ts', projectName: 'libsql-prism' },
];

describe('the items of a stress run', () => {
  it('are each stress test on each database, and folders of the rest, with what may run beside others last', () => {
    expect(itemsOf(LISTED).map(({ name }) => name)).toEqual([
      'browser apps/console/src/long-list.browser.stress.test.ts',
      'mariadb packages/db/src/outage.mysql.stress.test.ts',
      'libsql-prism apps/api-main/src',
      'browser apps/portal/src/signed-in/you',
      'browser-mariadb apps/portal/src/signed-in/you',
      'libsql packages/features/src/account/invitation/kills.stress.test.ts',
      'mariadb packages/features/src/account/invitation/kills.stress.test.ts',
    ]);
  });

  it('have every file that is listed for them', () => {
    const [you] = chosenItems(itemsOf(LISTED), 'browser apps/portal');
    expect(you?.files).toEqual([
      'apps/portal/src/signed-in/you/data/data.browser.test.ts',
      'apps/portal/src/signed-in/you/security/security.browser.test.ts',
    ]);
  });
});
