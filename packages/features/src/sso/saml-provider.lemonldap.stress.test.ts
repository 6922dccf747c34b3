import { describe, expect, it } from 'vitest';
import { type FormBrowser, type Page, pageText } from '../test/form-browser.js';
import { LEMONLDAP_DOMAIN, startLemonldap } from '../test/lemonldap.js';
import { type AtProvider, samlAnswerOn, startPeerWorld } from '../test/peer-world.js';
import { insertTestDomain } from '../test/test-sso.js';

const ROSE = `rtyler@${LEMONLDAP_DOMAIN}`;

function sendBack(browser: FormBrowser, page: Page): Promise<Page> {
  if (samlAnswerOn(page) === undefined) throw new Error(pageText(page));
  return browser.send(page);
}

const logIn = (browser: FormBrowser, page: Page, password = 'rtyler') =>
  browser.send(page, { user: 'rtyler', password });

const asRose: AtProvider = async (browser, page) => sendBack(browser, await logIn(browser, page));

async function startBoth(options: Readonly<Record<string, unknown>> = {}) {
  const idp = await startLemonldap();
  const peer = await startPeerWorld();
  const { accountId, owner, world } = peer;
  const domain = { createdById: owner.id, domain: LEMONLDAP_DOMAIN, isVerified: true };
  await insertTestDomain(world.db, { accountId, ...domain });
  const { saml } = await peer.save('sso.saveSaml', {
    metadataUrl: idp.metadataUrl,
    roleMap: [{ claim: 'groups', value: 'earthlings', roleType: 3 }],
  });
  const ours = await (await fetch(saml?.serviceEntityId ?? '')).text();
  await idp.trust(ours, options);
  return {
    idp,
    peer,
    ours,
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

describe('LemonLDAP::NG', () => {
  it('is connected by its metadata and ours, tested, and signs people in', async () => {
    await using both = await startBoth();
    const { peer } = both;
    expect(await peer.test(asRose)).toMatchObject({
      state: 'passed',
      mapping: { email: ROSE, roleType: 3, person: 'new' },
    });
    await peer.activate();
    const browser = peer.browser();
    const token = await peer.signIn(asRose, browser);
    expect(await peer.status(token)).toBe(200);
    // The session there is enough for the next time.
    const again = await peer.signIn(sendBack, browser);
    expect(await peer.status(again)).toBe(200);
  });

  it('shows the owner in a test what is wrong when it uses a transient name for people', async () => {
    await using both = await startBoth({ samlSPMetaDataOptionsNameIDFormat: 'transient' });
    expect(await both.peer.failedTest(asRose)).toBe(
      'failed: subject: The NameID is transient, so it names nobody twice. Choose persistent or emailAddress.',
    );
  });

  it('signs people in by an assertion that it encrypts', async () => {
    await using both = await startBoth({ samlSPMetaDataOptionsEncryptionMode: 'assertion' });
    const { peer } = both;
    const told = await peer.test(async (browser, page) => {
      const answer = await logIn(browser, page);
      expect(samlAnswerOn(answer)).toContain('EncryptedAssertion');
      return browser.send(answer);
    });
    expect(told).toMatchObject({ state: 'passed', mapping: { email: ROSE } });
    await peer.activate();
    expect(await peer.status(await peer.signIn(asRose))).toBe(200);
  });

  it('changes its key: the new one is found in its metadata', async () => {
    await using both = await startBoth();
    const { idp, ours, peer } = both;
    await peer.test(asRose);
    await peer.activate();
    idp.makeKey();
    await idp.trust(ours);
    expect(await peer.status(await peer.signIn(asRose))).toBe(200);
  });

  it('ends its session when a person signs out here', async () => {
    await using both = await startBoth({ samlSPMetaDataOptionsCheckSLOMessageSignature: 1 });
    const { peer } = both;
    await peer.test(asRose);
    await peer.activate();
    const browser = peer.browser();
    const token = await peer.signIn(asRose, browser);
    const end = await browser.open(await peer.signOut(token));
    expect([end.url.href, pageText(end)]).toEqual([peer.appUrl, '']);
    expect(await peer.status(token)).toBe(401);
    const next = await browser.open((await peer.shown()).startUrl);
    expect(next.forms.some(({ fields }) => 'password' in fields)).toBe(true);
  });

  it('ends our sessions when a person signs out there', async () => {
    await using both = await startBoth({ samlSPMetaDataOptionsSignSLOMessage: 1 });
    const { idp, peer } = both;
    await peer.test(asRose);
    await peer.activate();
    const browser = peer.browser();
    const [here, elsewhere] = [await peer.signIn(asRose, browser), await peer.signIn(asRose)];
    const page = await browser.open(idp.logoutUrl);
    expect(page.frames, pageText(page)).toHaveLength(1);
    for (const frame of page.frames) await browser.open(frame);
    expect([await peer.status(here), await peer.status(elsewhere)]).toEqual([401, 200]);
  });
});
