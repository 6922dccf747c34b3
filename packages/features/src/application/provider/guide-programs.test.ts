import { blockOf, insertTestMember } from '@gatehouse/testkit';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'openid-client';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startMachineApplicationWorld } from '../../test/machine-application-world.js';
import { at, type OauthWorld, startOauthWorld } from '../../test/oauth-world.js';

const guide = (text: string) => blockOf('docs/applications.md', text);

/** The library, for services of tests, which have no TLS and listen elsewhere. */
const libraryFor = ({ main }: OauthWorld): typeof oauth => ({
  ...oauth,
  discovery: (server, clientId, metadata, authentication) =>
    oauth.discovery(server, clientId, metadata, authentication, {
      // oxlint-disable-next-line typescript/no-deprecated -- the services of tests have no TLS
      execute: [oauth.allowInsecureRequests],
      [oauth.customFetch]: (url, options) => fetch(at(main, url), options as RequestInit),
    }),
});

/** Runs lines of the guide unchanged, with the variables that they use. Returns what they leave in the named variables. */
async function follow(
  world: OauthWorld,
  code: string,
  given: Readonly<Record<string, unknown>>,
  ...results: readonly string[]
): Promise<Record<string, unknown>> {
  const lines = code.replace(/^import .*$/m, '').replaceAll('https://gatehouse.example.com', world.baseUrl);
  const names = ['oauth', ...Object.keys(given)].join(', ');
  const program = `export default async ({ ${names} }) => {\n${lines}\nreturn { ${results.join(', ')} };\n};`;
  const module: unknown = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(program)}`
  );
  const { default: run } = module as { default: (all: object) => Promise<Record<string, unknown>> };
  return run({ oauth: libraryFor(world), ...given });
}

it('the sign-in code in the guide to applications works as written', async () => {
  await using world = await startOauthWorld();
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
  const { clientId, secret } = await world.application();
  const browser = world.browser(member);
  const signIn = async (to: URL) => {
    const { url } = await browser.visit(to.href);
    return new URL((await browser.visit(url, {})).url);
  };
  const sample = guide('authorizationCodeGrant').replace(
    '// Send the browser to `to`. At the callback:',
    'const callbackUrl = await signIn(to);',
  );
  const given = { clientId, clientSecret: secret, signIn };
  const { sub, email } = await follow(world, sample, given, 'sub', 'email');
  expect({ sub, email }).toEqual({ sub: String(member.id), email: member.email });
});

it('the machine in the guide to applications signs in with a key, and gets a token', async () => {
  await using started = await startMachineApplicationWorld();
  const { world, application, by, machineId } = started;
  await by('/v1/machine/save', { machineId, name: 'Importer', roleType: 2 });
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1' }] };
  const saved = await by('/v1/app/save', { applicationId: application.id, jwks });
  expect(saved.status).toBe(200);
  const samples = `${guide('PrivateKeyJwt')}\n${guide('clientCredentialsGrant')}`;
  const given = { clientId: application.clientId, privateKey };
  const { access_token, scope } = await follow(world, samples, given, 'access_token', 'scope');
  expect(scope).toBe('member.list');
  const listed = await world.main.send('/v1/member/list', {
    bearer: z.string().parse(access_token),
    body: {},
  });
  expect(listed.status).toBe(200);
});

it('the device in the guide to applications is connected as written', async () => {
  await using world = await startOauthWorld();
  const member = await insertTestMember(world.db, { isConfirmed: true });
  const { clientId } = await world.application({
    type: 'device',
    redirectUris: [],
    postLogoutRedirectUris: [],
  });
  const config = await libraryFor(world).discovery(new URL(world.baseUrl), clientId, undefined, oauth.None());
  const said: string[] = [];
  const agree = async (codes: oauth.DeviceAuthorizationResponse) => {
    const form = { user_code: codes.user_code, decision: 'allow' };
    await world.browser(member).visit(`${world.baseUrl}/device`, form);
    // The person was quick.
    return { ...codes, interval: 0.1 };
  };
  const sample = guide('pollDeviceAuthorizationGrant').replace(
    '(config, codes)',
    '(config, await agree(codes))',
  );
  const given = { config, agree, console: { log: (line: string) => said.push(line) } };
  const { tokens } = await follow(world, sample, given, 'tokens');
  expect(said).toEqual([expect.stringMatching(/^Open http\S+\/device and enter [A-Z]{4}-[A-Z]{4}$/)]);
  expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
});
