import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { blockOf, createTestFolder, findFreePort, sendRequest } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, it } from 'vitest';
import { readCommands } from '../test/read-commands.js';
import { startMailServer } from '../test/start-mail-server.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const EMAIL = 'ada@example.com';

const guide = (text: string) => blockOf('docs/operations.md', text);

/** The output of a process so far. */
function hear({ stdout, stderr }: { stdout: Readable; stderr: Readable }): { said: string } {
  const output = { said: '' };
  for (const stream of [stdout, stderr])
    stream.on('data', (chunk: Buffer) => {
      output.said += chunk.toString();
    });
  return output;
}

/** An empty production deployment, made as the guide says, at localhost instead of example.com. */
async function deploy(smtpUrl: string) {
  const folder = await createTestFolder();
  const secrets = join(folder.path, 'secrets');
  await mkdir(secrets);
  await promisify(execFile)(join(ROOT, 'deploy/make-secrets'), [secrets]);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const variables = {
    ...parseEnv(guide('PASSKEY_RP_ID=')),
    APP_URL: 'http://localhost:4999',
    MAIN_URL: 'http://localhost:4998',
    BASE_URL: url,
    PASSKEY_RP_ID: 'localhost',
    SMTP_URL: smtpUrl,
    PORT: String(port),
    NODE_ENV: 'production',
  };
  const file = join(folder.path, 'api-admin.env');
  await writeFile(
    file,
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const within = (...args: string[]) =>
    spawn(join(ROOT, 'deploy/with-secrets'), [process.execPath, `--env-file=${file}`, ...args], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', CREDENTIALS_DIRECTORY: secrets },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  await writeFile(join(secrets, 'DATABASE_URL'), `file:${folder.path}/gatehouse.db`);

  const run = async (...args: string[]): Promise<{ code: number; said: string }> => {
    const child = within(join(ROOT, 'tooling/cli/dist/main.js'), ...args);
    const output = hear(child);
    const [code] = (await once(child, 'close')) as [number];
    return { code, said: output.said };
  };
  const gatehouse = async (...args: string[]): Promise<string> => {
    const { code, said } = await run(...args);
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} answered ${code}:\n${said}`);
    return said;
  };
  const doctor = () => run('doctor', '--service', 'api-admin');
  const startAdmin = async () => {
    const child = within(join(ROOT, 'apps/api-admin/dist/main.js'));
    const output = hear(child);
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(output.said);
      await pause(50);
    }
    return {
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM');
        await once(child, 'exit');
        await folder[Symbol.asyncDispose]();
      },
    };
  };
  return { url, gatehouse, doctor, startAdmin };
}

/** Signs in by passkey in the page, as any client does, and answers its token. */
const SIGN_IN_BY_PASSKEY = `(async () => {
  const post = async (name, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/v1/signIn/' + name, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()).data;
  };
  const { flow, options } = await post('passkeyOptions', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = await navigator.credentials.get({ publicKey });
  return (await post('passkey', { flow, response: used.toJSON() })).token;
})()`;

describe('the first administrator', { timeout: 120_000 }, () => {
  it('adds a passkey by the guide alone, loses it, and returns with a ticket from staff', async () => {
    await using smtp = await startMailServer();
    const { url, gatehouse, doctor, startAdmin } = await deploy(smtp.url);
    await gatehouse('migrate');
    const create = readCommands(guide('create-personnel')).commands.find(
      ([name]) => name === 'create-personnel',
    );
    const made = await gatehouse(...(create ?? []));
    const password = /shown only now: (\S+)\n/.exec(made)?.[1] ?? '';
    await using _admin = await startAdmin();
    expect(await doctor()).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^FIX .* without a passkey;/m),
    });
    await using browser = await openBrowser();

    const list = (token: string) => sendRequest(`${url}/v1/personnel/list`, { token, body: {} });
    const tokenByPassword = async (): Promise<string> => {
      const answer = await sendRequest(`${url}/v1/signIn/password`, { body: { email: EMAIL, password } });
      return ((await answer.json()) as { data: { token: string } }).data.token;
    };
    /** A browser with a new key adds it with the ticket, and signs in with it. */
    const enrol = async (ticket: string): Promise<string> => {
      const page = await browser.context.newPage();
      const devtools = await browser.context.newCDPSession(page);
      await devtools.send('WebAuthn.enable', { enableUI: false });
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.goto(`${url}/console/enrol`);
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'I have a setup ticket' }).click();
      await page.getByLabel('Setup ticket').fill(ticket);
      await page.keyboard.press('Enter');
      await page.getByText('The console requires a passkey.').waitFor();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor();
      const token = await page.evaluate<string>(SIGN_IN_BY_PASSKEY);
      await page.close();
      return token;
    };
    const ticketIn = (said: string) => /24 hours: (\S+)/.exec(said)?.[1] ?? '';

    const before = await tokenByPassword();
    expect(await (await list(before)).json()).toMatchObject({ error: { code: 'enrolment_required' } });
    const first = await enrol(ticketIn(made));
    expect((await list(first)).status).toBe(200);
    expect((await doctor()).said).not.toMatch(/^FIX/m);
    expect(await (await list(await tokenByPassword())).json()).toMatchObject({
      error: { code: 'verification_required' },
    });

    const printed = await gatehouse('staff-ticket', '--email', EMAIL);
    expect((await list(first)).status).toBe(401);
    expect(await (await list(await tokenByPassword())).json()).toMatchObject({
      error: { code: 'enrolment_required' },
    });
    const second = await enrol(ticketIn(printed));
    expect((await list(second)).status).toBe(200);
    await expect.poll(() => smtp.mails.length, { timeout: 20_000 }).toBeGreaterThan(0);
  });
});
