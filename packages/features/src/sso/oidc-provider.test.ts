import { expect, it } from 'vitest';
import { startPeopleWorld } from '../test/people-world.js';
import { startMetadataServer } from '../test/saml-world.js';
import { discoverProvider } from './oidc-provider.js';

it("only the used values of an OpenID Connect provider's documents are cached, and at most 64 kB are read", async () => {
  await using world = await startPeopleWorld();
  await using server = await startMetadataServer();
  const { services } = world.service;
  const issuer = server.url;
  const known = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  };
  const publish = (more: object) => server.serve(JSON.stringify({ ...known, ...more }));
  const read = () => discoverProvider(services, { issuer });
  publish({ filler: 'x'.repeat(70_000) });
  await expect(read()).rejects.toThrow(/too large|larger|provider/);
  publish({ token_endpoint: 1 });
  await expect(read()).rejects.toThrow('malformed');
  // What cannot be used is not remembered.
  publish({ filler: 'x'.repeat(60_000) });
  expect(await read()).toEqual(known);
  const reads = server.reads();
  expect(await read()).toEqual(known);
  expect(server.reads()).toBe(reads);
  world.wait(300_001);
  await read();
  expect(server.reads()).toBe(reads + 1);
});
