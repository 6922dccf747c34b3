import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { startService, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { openapi } from './openapi.js';

const OWN = { TOKEN_HEADER_KEY: 'x-session', BASE_URL: 'https://auth.example.org' };

async function run(...args: string[]) {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await openapi.run({ args, env: { ...testEnvironment(), ...OWN }, say, draw: say });
  return { code, said: said.join('\n') };
}

describe.each([
  ['api-main', createMain, 'web', 'partner'],
  ['api-admin', createAdmin, 'admin', 'staff'],
] as const)('gatehouse openapi --service %s', (name, createApp, application, tag) => {
  it('prints the document that the service serves with the same configuration', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application, env: OWN });
    const whole = await run('--service', name);
    expect([whole.code, JSON.parse(whole.said)]).toEqual([
      0,
      await (await service.send('/openapi.json')).json(),
    ]);
    const part = await run('--service', name, '--tag', tag);
    const served = await service.send(`/openapi.json?tag=${tag}`);
    expect(JSON.parse(part.said)).toEqual(await served.json());
  });

  it('prints a Postman collection of the same operations', async () => {
    const document = JSON.parse((await run('--service', name)).said) as { paths: object };
    const { code, said } = await run('--service', name, '--postman');
    const { item } = JSON.parse(said) as { item: { item: object[] }[] };
    expect(code).toBe(0);
    expect(item.flatMap((folder) => folder.item)).toHaveLength(
      Object.values(document.paths).flatMap((methods: object) => Object.keys(methods)).length,
    );
  });
});

describe('gatehouse openapi', () => {
  it('lists the services and the tags when asked for an unknown one', async () => {
    expect(await run('--service', 'api-maim')).toEqual({
      code: 2,
      said: 'gatehouse openapi: there is no service api-maim. There are api-main, api-admin.',
    });
    expect(await run('--tag', 'partners')).toMatchObject({
      code: 2,
      said: expect.stringMatching(/there is no tag partners\. There are account, compatibility, .*partner/),
    });
  });
});
