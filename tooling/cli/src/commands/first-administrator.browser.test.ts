import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { blockOf, createTestFolder, findFreePort, sendRequest } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, it } from 'vitest';
import { startMailServer } from '../test/start-mail-server.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
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

/** A production deployment, made and begun as the guide says, at localhost instead of example.com, on a file. */
async function deploy(smtpUrl: string) {
  const folder = await createTestFolder();
  const etc = join(folder.path, 'etc');
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const shell = async (lines: string): Promise<string> => {
    const here = lines
      .replaceAll('/opt/gatehouse/', ROOT)
      .replaceAll(/\/etc\/(?=gatehouse|systemd)/g, `${etc}/`)
      .replace(/'mysql:\/\/gatehouse:[^']+'/, `'file:${folder.path}/gatehouse.db'`)
      // A file has no second user.
      .replace(/'mysql:\/\/gatehouse_migrations:[^']+'/, "''");
    // No systemd runs here.
    const script = ['--norc', '-eu', '-c', `systemctl() { echo "systemctl $*"; }\n${here}`];
    return (await promisify(execFile)('bash', script, { cwd: ROOT, env: { PATH } })).stdout;
  };
  await mkdir(join(etc, 'systemd/system'), { recursive: true });
  // The repository, which is built, stands for the folder that the first two lines make.
  await shell(guide('deploy/production-tree').split('\n').slice(2).join('\n'));
  const [forMain = '', forAdmin = ''] = guide('PASSKEY_RP_ID=').split(/^# api-admin\.env.*$/m);
  const main = 'http://localhost:4998';
  const local = `APP_URL=http://localhost:4999\nADMIN_URL=${url}\nPASSKEY_RP_ID=localhost\nSMTP_URL=${smtpUrl}\n`;
  await writeFile(join(etc, 'gatehouse/api-main.env'), `${forMain}${local}BASE_URL=${main}\n`);
  const file = join(etc, 'gatehouse/api-admin.env');
  await writeFile(file, `${forMain}${forAdmin}${local}BASE_URL=${url}\nMAIN_URL=${main}\nPORT=${port}\n`);
  const begun = await shell(guide('systemctl enable'));
  const within = (...args: string[]) =>
    spawn(join(ROOT, 'deploy/with-secrets'), [process.execPath, `--env-file=${file}`, ...args], {
      env: { PATH, CREDENTIALS_DIRECTORY: join(etc, 'gatehouse/secrets') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

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
  return { url, begun, gatehouse, doctor, startAdmin };
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
    const { url, begun, gatehouse, doctor, startAdmin } = await deploy(smtp.url);
    expect(begun).toContain('systemctl enable --now gatehouse-api-main gatehouse-api-admin');
    const password = /shown only now: (\S+)\n/.exec(begun)?.[1] ?? '';
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
    const first = await enrol(ticketIn(begun));
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
