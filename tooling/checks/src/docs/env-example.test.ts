import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { envExample } from './env-example.js';

const CONFIG = 'packages/features/src/core/config.ts';

const findingsIn = (config: string, example: string) =>
  envExample
    .run(repositoryOf({ [CONFIG]: config, '.env.example': example }))
    .map(({ path, line, message }) => `${path}:${line} ${message}`);

describe('the check of .env.example', () => {
  it('lists every variable of the schema, commented or not', () => {
    const shape = 'export const shape = {\n  PORT: port.default(4000),\n  APP_URL: url,\n};';
    expect(findingsIn(shape, '# The port.\n# PORT=4000\nAPP_URL=')).toEqual([]);
    expect(findingsIn(shape, '# PORT is 4000\n# APP_URL=')).toEqual([
      `${CONFIG}:2 PORT is missing from .env.example`,
    ]);
  });

  it('finds variables in nested and shorthand members, and mistakes no other member for one', () => {
    const shape =
      'export const shape = { ...base, ...z.object({ PORT }).shape, minBytes: 3, "HOST": a, A: 1 };';
    expect(findingsIn(shape, '')).toEqual([
      `${CONFIG}:1 PORT is missing from .env.example`,
      `${CONFIG}:1 HOST is missing from .env.example`,
    ]);
  });

  it('lists nothing that is not read', () => {
    expect(findingsIn('export const a = 1;', '\n# OLD_NAME=1')).toEqual([
      '.env.example:2 nothing reads OLD_NAME',
    ]);
  });

  it('treats a family of names as read when its template is', () => {
    const shape = 'export const read = (key) => env[`$' + '{key}_CLIENT_ID`];';
    expect(findingsIn(shape, 'GOOGLE_CLIENT_ID=\nGOOGLE_CLIENT_SECRET=')).toEqual([
      '.env.example:2 nothing reads GOOGLE_CLIENT_SECRET',
    ]);
  });

  it('does not treat a test as a reader', () => {
    const repository = repositoryOf({ 'apps/a/src/a.test.ts': 'env.PORT', '.env.example': 'PORT=1' });
    expect(envExample.run(repository)).toHaveLength(1);
  });
});
