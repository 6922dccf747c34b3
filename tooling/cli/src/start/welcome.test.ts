import { DEMONSTRATION_PEOPLE } from '@gatehouse/db/queries/demonstration-data';
import { expect, it } from 'vitest';
import { welcome } from './welcome.js';

const OWN = {
  APP_URL: 'http://localhost:4000',
  BASE_URL: 'http://localhost:4000',
  GOOGLE_AUTHORIZATION_URL: 'http://127.0.0.1:4020/google/o/oauth2/v2/auth',
};
const said = (env: Record<string, string>, hasDemonstration = true) =>
  welcome({ ...OWN, ...env }, { hasDemonstration }).join('\n');

it('the welcome text links to the pages of the service while those exist, and to the front end otherwise', () => {
  expect(said({})).toContain('Social sign-in, at simulated providers: http://localhost:4000/socialAuth');
  expect(said({})).toContain('Register: http://localhost:4000/register');
  const elsewhere = said({ APP_URL: 'http://localhost:5173' });
  expect(elsewhere).not.toContain('4000/socialAuth');
  expect(elsewhere).not.toContain('4000/register');
  expect(elsewhere).toContain('Your front end, where links lead: http://localhost:5173');
});

it('the welcome text begins with the address of the portal, when there is one', () => {
  expect(said({})).toMatch(/^\nGatehouse is up\.\n\n {2}Open http:\/\/localhost:4000\/portal\/\n.*one click/);
  expect(said({}, false)).not.toContain('one click');
  expect(said({ PORTAL: 'off' })).not.toContain('/portal');
  expect(said({ APP_URL: 'http://localhost:5173' })).not.toContain('/portal');
});

it('the welcome text has the address of the console, with a staff login when there is one', () => {
  expect(said({})).toMatch(/For staff: http:\/\/localhost:4001\/console\/\n.*root@gatehouse\.test/);
  expect(said({}, false)).toContain('/console/');
  expect(said({}, false)).not.toContain('root@gatehouse.test');
  expect(said({ CONSOLE: 'off' })).not.toContain('/console');
});

it('the welcome text says where agents find their tools, unless agents are off', () => {
  expect(said({})).toContain('Tools of agents: http://localhost:4000/mcp\n');
  expect(said({ MCP: 'off' })).not.toContain('/mcp');
});

it('the welcome text names the page that lists everything of a development start', () => {
  expect(said({})).toContain('http://localhost:4000/dev\n');
});

it('the welcome text says how mails are sent', () => {
  expect(said({})).toContain('http://localhost:4000/dev/outbox');
  for (const env of [{ SMTP_URL: 'smtp://mail.test' }, { RESEND_API_KEY: 're_x' }]) {
    expect(said(env)).not.toContain('/dev/outbox');
    expect(said(env)).toContain('Mails leave by');
  }
});

it('the welcome text lists the login of each demonstration member, the partner, and where the mails are', () => {
  const text = said({});
  for (const { email } of DEMONSTRATION_PEOPLE) expect(text).toContain(`  ${email} `);
  expect(text).toMatch(
    /owner@acme\.test +Owner in Acme Studio \(organization 1\), Manager in Birch & Co \(organization 2\)\n/,
  );
  expect(text).toMatch(/staff@gatehouse\.test +staff: Account manager for Birch & Co \(organization 2\)\n/);
  expect(text).toMatch(/archived@acme\.test +archived: can't sign in\n/);
  expect(text).toContain('partner acme-partner, with the secret');
  expect(said({}, false)).not.toContain('acme-partner-demo-secret');
});

it('the welcome text names no simulator when the provider is real, and no login that is not in the database', () => {
  expect(said({ GOOGLE_AUTHORIZATION_URL: 'https://accounts.google.com/' })).not.toContain('simulated');
  expect(said({})).toContain('owner@acme.test');
  expect(said({}, false)).not.toContain('owner@acme.test');
});

it("the welcome text shows the given address, and this machine's for an address that means all interfaces", () => {
  expect(said({ HOST: '::1' })).toContain('api-admin    http://[::1]:4001');
  expect(said({ HOST: '0.0.0.0' })).toContain('api-main     http://127.0.0.1:4000');
  expect(said({ HOST: '::1', PARTNER_PORT: '5010' })).toContain('acme-partner http://127.0.0.1:5010');
});

it('the welcome text shows the given ports', () => {
  const moved = said({
    PORT: '5000',
    ADMIN_PORT: '5001',
    APP_URL: 'http://localhost:5000',
    BASE_URL: 'http://localhost:5000',
  });
  expect(moved).toContain('http://localhost:5000/docs and http://localhost:5001/docs');
  expect(moved).not.toMatch(/:400[01]\b/);
});
