import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

const DEPLOY = new URL('../../../deploy/', import.meta.url);
const WITH_SECRETS = fileURLToPath(new URL('with-secrets', DEPLOY));
const run = promisify(execFile);

/** The variables of a command started with a folder of secrets. */
async function variablesOver(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) await writeFile(`${folder}/${name}`, text);
  const env = { CREDENTIALS_DIRECTORY: folder };
  const { stdout } = await run(WITH_SECRETS, [process.execPath, '-p', 'JSON.stringify(process.env)'], {
    env,
  });
  const all = Object.entries(JSON.parse(stdout) as Record<string, string>);
  return all
    .flatMap(([name, value]) => (value.includes('of the folder') ? [`${name}=${value}`] : []))
    .toSorted();
}

it('every secret in the folder becomes a variable, whether the operator names the folder or a unit loads it', async () => {
  await using operator = await createTestFolder();
  await using unit = await createTestFolder();
  const secrets = ['JWT_SECRET_KEY', 'SMTP_URL', 'STRIPE_API_KEY', 'METRICS_TOKEN'];
  const files = Object.fromEntries(secrets.map((name) => [name, `${name} of the folder`]));
  const others = { 'notes.txt': 'text of the folder', lower_case: 'name of the folder' };
  const asRead = await variablesOver(operator.path, { ...files, ...others });
  expect(asRead).toEqual(secrets.map((name) => `${name}=${name} of the folder`).toSorted());
  // systemd loads the files of a folder under the name given to it, as with `LoadCredential=gatehouse:`.
  const loaded = Object.fromEntries(
    Object.entries({ ...files, ...others }).map(([name, text]) => [`gatehouse_${name}`, text]),
  );
  expect(await variablesOver(unit.path, loaded)).toEqual(asRead);
});

it.each(['api-main', 'api-admin'])(
  'the unit of %s loads the folder of secrets, and no secret by name',
  async (service) => {
    const text = await readFile(new URL(`systemd/gatehouse-${service}.service`, DEPLOY), 'utf8');
    expect(text.match(/^LoadCredential=.*$/gm)).toEqual(['LoadCredential=gatehouse:/etc/gatehouse/secrets']);
  },
);
