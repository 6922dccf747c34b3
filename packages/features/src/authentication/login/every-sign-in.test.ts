import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

/** The sources of the product, without tests. */
function sources(): string[] {
  return [
    'packages/features/src',
    'packages/http/src',
    'packages/runtime/src',
    'apps/api-main/src',
    'apps/api-admin/src',
    'tooling/cli/src',
  ].flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
      .filter((path) => !/node_modules|\/dist\/|\/test\//.test(path)),
  );
}

describe('every way in', () => {
  it('ends in finishSignIn, the only caller of startSession', () => {
    const callers = sources().filter((path) =>
      /\bstartSession\b/.test(readFileSync(`${ROOT}/${path}`, 'utf8')),
    );
    expect(callers).toEqual(['packages/features/src/authentication/login/finish-sign-in.ts']);
  });
});
