import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

it('one file of the services alone imports the WebAuthn library, at the first use', () => {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(`${ROOT}/${group}`).map((name) => `${group}/${name}/src`),
  );
  const importing = folders
    .filter((folder) => existsSync(`${ROOT}/${folder}`))
    .flatMap((folder) =>
      readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
        .map((path) => `${folder}/${path}`)
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .filter((path) => readFileSync(`${ROOT}/${path}`, 'utf8').includes('@simplewebauthn/')),
    );
  expect(importing).toEqual(['packages/features/src/authentication/passkey/web-authn.ts']);
  // A service whose modules are loaded has not loaded it; the first use does.
  const script = `
    await import('./apps/api-main/dist/app.js');
    const { loadWebAuthn } = await import('./packages/features/dist/authentication/passkey/web-authn.js');
    // One of its dependencies extends the global Reflect.
    const before = 'getMetadata' in Reflect;
    const { server } = await loadWebAuthn();
    console.log(JSON.stringify([before, 'getMetadata' in Reflect, typeof server.verifyAuthenticationResponse]));
  `;
  const options = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' });
  expect([stdout.trim(), stderr]).toEqual(['[false,true,"function"]', '']);
}, 60_000);
