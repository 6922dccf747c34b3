import { X509Certificate } from 'node:crypto';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createSamlIdentityProvider } from '../test/saml-identity-provider.js';
import { type SamlWorld, startMetadataServer, startSamlWorld } from '../test/saml-world.js';
import { samlMetadataChecks } from './look-at-metadata.js';
import { samlSignInUrl, takeSamlResult } from './saml-sign-in.js';

const DAY_MS = 86_400_000;

const IDP = { ssoUrl: 'https://idp.acme.example/sso' };

async function answer(saml: SamlWorld, requestId: string, sent?: string) {
  const response = await saml.post('acs', { SAMLResponse: sent ?? saml.idp.answer(saml.said(requestId)) });
  const location = response.headers.get('location');
  return { status: response.status, location, code: location?.match(/\?code=([0-9a-f]{64})$/)?.[1] };
}

function take(saml: SamlWorld, code: string | undefined, requestId: string) {
  return saml
    .row()
    .then((row) => takeSamlResult(saml.world.other.services, row, { code: code ?? '', requestId }));
}

const ended = (code: string) => ({
  status: 303,
  location: expect.stringMatching(`/socialAuth\\?error=${code}$`),
});

describe('a SAML response', () => {
  it('waits for the browser whose request it answers, once, on every node', async () => {
    await using saml = await startSamlWorld();
    const requestId = saml.request();
    const first = await answer(saml, requestId);
    expect(first).toMatchObject({
      status: 303,
      location: expect.stringContaining(`/sso/${saml.key}/finish?`),
    });
    const result = await take(saml, first.code, requestId);
    expect(result).toMatchObject({ version: 1, claims: { nameId: 'ada-17' } });
    expect(result?.verdicts.every(({ passed }) => passed)).toBe(true);
    expect(await take(saml, first.code, requestId)).toBeUndefined();
    const second = await answer(saml, requestId);
    expect(await take(saml, second.code, saml.request())).toBeUndefined();
    const third = await answer(saml, requestId);
    saml.world.wait(61_000);
    expect(await take(saml, third.code, requestId)).toBeUndefined();
    const [row] = await saml.world.db.select().from(saml.world.db.tables.ssoRuns);
    expect(JSON.stringify(row)).not.toContain('ada-17');
  });

  it('is accepted once, however often it is sent', async () => {
    await using saml = await startSamlWorld();
    const requestId = saml.request();
    const sent = saml.idp.answer(saml.said(requestId));
    const posts = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        saml.post('acs', { SAMLResponse: sent }, at % 2 === 0 ? saml.world.service : saml.world.other),
      ),
    );
    const locations = posts.map((each) => each.headers.get('location') ?? '');
    expect(locations.filter((each) => each.includes('/finish?code='))).toHaveLength(1);
    expect(locations.filter((each) => each.endsWith('?error=provider_failed'))).toHaveLength(9);
    saml.world.wait(3_600_000);
    expect(await answer(saml, requestId, sent)).toMatchObject(ended('provider_failed'));
  });

  it('ends at the front end if a check fails', async () => {
    await using saml = await startSamlWorld();
    const requestId = saml.request();
    const foreign = createSamlIdentityProvider({ entityId: saml.idp.entityId });
    expect(await answer(saml, requestId, foreign.answer(saml.said(requestId)))).toMatchObject(
      ended('provider_failed'),
    );
    const status = 'urn:oasis:names:tc:SAML:2.0:status:Responder';
    expect(await answer(saml, requestId, saml.idp.answer(saml.said(requestId, { status })))).toMatchObject(
      ended('access_denied'),
    );
    const other = { ...saml.said('_request-of-somebody') };
    expect(await answer(saml, requestId, saml.idp.answer(other))).toMatchObject(ended('provider_failed'));
    await saml.setLive(false);
    expect(await answer(saml, requestId)).toMatchObject(ended('provider_failed'));
  });

  it('gets 400 if it cannot be read, and 404 at an address of no connection', async () => {
    await using saml = await startSamlWorld();
    const bad = [
      'x',
      Buffer.from('<a>').toString('base64'),
      Buffer.from('<!DOCTYPE a><a/>').toString('base64'),
    ];
    for (const SAMLResponse of bad) expect((await saml.post('acs', { SAMLResponse })).status).toBe(400);
    expect((await saml.post('acs', {})).status).toBe(400);
    expect((await saml.post('acs', { SAMLResponse: 'A'.repeat(200_000) })).status).toBe(400);
    const url = `${saml.world.service.url}/sso/saml`;
    const twice = await fetch(`${url}/${saml.key}/acs`, {
      method: 'POST',
      body: new URLSearchParams([
        ['SAMLResponse', 'x'],
        ['SAMLResponse', 'x'],
      ]),
    });
    expect(twice.status).toBe(400);
    expect((await fetch(`${url}/${'0'.repeat(32)}/acs`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${url}/${'0'.repeat(32)}/metadata`)).status).toBe(404);
  });

  it('that nobody requested proves nothing, and starts a sign-in here if that is allowed', async () => {
    await using saml = await startSamlWorld();
    const sent = saml.idp.answer(saml.said('', { inResponseTo: null }));
    expect(await answer(saml, '', sent)).toMatchObject(ended('idp_initiated'));
    await saml.save({ allowIdpInitiated: true });
    expect(await answer(saml, '', sent)).toMatchObject(ended('idp_initiated'));
    await saml.setLive(true);
    expect(await answer(saml, '', sent)).toEqual({
      status: 303,
      location: `http://127.0.0.1:4000/sso/${saml.key}/start`,
      code: undefined,
    });
    expect(await saml.world.db.select().from(saml.world.db.tables.ssoRuns)).toEqual([]);
  });

  it('to a test is for the current settings, and keeps the result of each check', async () => {
    await using saml = await startSamlWorld();
    const next = createSamlIdentityProvider({ entityId: 'https://idp.next.example' });
    await saml.save({ metadataXml: next.metadata(IDP) });
    const test = saml.request('test');
    const said = { ...saml.said(test), issuer: next.entityId };
    const good = await answer(saml, test, next.answer(said));
    expect(await take(saml, good.code, test)).toMatchObject({ version: 2, claims: { nameId: 'ada-17' } });
    const bad = await answer(
      saml,
      test,
      next.answer({ ...said, assertionId: '_2', audience: 'https://x.example' }),
    );
    const result = await take(saml, bad.code, test);
    expect(result?.claims).toBeNull();
    expect(result?.verdicts.filter(({ passed }) => !passed)).toEqual([
      { check: 'audience', passed: false, problem: expect.stringContaining('https://x.example') },
    ]);
    const requestId = saml.request();
    expect((await answer(saml, requestId)).code).toBeDefined();
    const unasked = next.answer({ ...saml.said(requestId), issuer: next.entityId });
    expect(await answer(saml, requestId, unasked)).toMatchObject(ended('provider_failed'));
  });
});

describe('a SAML connection', () => {
  it('begins at the address in its metadata, with a signed request for our ACS', async () => {
    await using saml = await startSamlWorld();
    const url = samlSignInUrl(saml.world.service.services, await saml.row(), {
      requestId: saml.request(),
      forceLogin: false,
    });
    expect(url).toMatch(/^https:\/\/idp\.acme\.example\/sso\?SAMLRequest=[^&]+&SigAlg=[^&]+&Signature=/);
    const listed = await saml.world.call('sso.list', {}, saml.as);
    expect(listed.data).toMatchObject({
      connections: [
        {
          kind: 'saml',
          oidc: null,
          saml: {
            entityId: saml.idp.entityId,
            metadataUrl: null,
            allowIdpInitiated: false,
            certificatesEndAt: ['2040-01-01T00:00:00.000Z'],
            metadataProblem: null,
            serviceEntityId: saml.urls().ourEntityId,
            acsUrl: saml.urls().acsUrl,
            logoutUrl: saml.urls().logoutUrl,
          },
        },
      ],
    });
    expect(JSON.stringify(listed)).not.toContain('PRIVATE KEY');
  });

  it('accepts metadata with comments between its elements, but not within a text', async () => {
    await using saml = await startSamlWorld();
    const { certificate } = saml.idp;
    const comment = '<!-- <md:EntityDescriptor entityID="https://evil.example"> by ADFS -->';
    const xml = saml.idp.metadata({ ssoUrl: 'https://idp.acme.example/sso2' });
    const commented = `${xml.replaceAll(/(<\/?md:[^>]*>)/g, `$1${comment}`)}\n${comment}`;
    expect(await saml.save({ metadataXml: commented })).toMatchObject({ status: 200 });
    const { settings } = await saml.row();
    expect(settings).toMatchObject({ entityId: saml.idp.entityId, ssoUrl: 'https://idp.acme.example/sso2' });
    expect(settings).toMatchObject({ certificates: [certificate] });
    const bad: [string, string][] = [
      [
        xml.replace(certificate, `${certificate.slice(0, 40)}<!-- -->${certificate.slice(40)}`),
        'within a text',
      ],
      [xml.replace(certificate, `<!-- -->${certificate}`), 'within a text'],
      [`${xml}<!-- --`, 'without its end'],
      [`${xml}<!-- -- -->`, 'without its end'],
      [xml.replace(certificate, `<![CDATA[${certificate}]]>`), 'CDATA'],
      [`<!-- --><!DOCTYPE a>${xml}`, 'document type'],
    ];
    for (const [metadataXml, reason] of bad)
      expect((await saml.save({ metadataXml })).issues).toEqual([
        { path: 'metadataXml', message: expect.stringContaining(reason) },
      ]);
  });

  it('refuses metadata that it cannot use, and says why', async () => {
    await using saml = await startSamlWorld();
    const xml = saml.idp.metadata(IDP);
    const certificate = /<md:KeyDescriptor.*<\/md:KeyDescriptor>/.exec(xml)?.[0] ?? '';
    const others = Array.from({ length: 4 }, () => createSamlIdentityProvider({ kind: 'ec' }).certificate);
    const bad: [string, string][] = [
      ['<a/>', 'not the metadata'],
      [`<!DOCTYPE a>${xml}`, 'document type'],
      [xml.replace(/entityID="[^"]*"/, ''), 'does not name'],
      [xml.replace(certificate, ''), 'no signing key'],
      [
        xml.replace(saml.idp.certificate, createSamlIdentityProvider({ bits: 1_024 }).certificate),
        'no signing key',
      ],
      [
        xml.replace(
          certificate,
          certificate + others.map((each) => certificate.replace(saml.idp.certificate, each)).join(''),
        ),
        'more than 4',
      ],
      [xml.replaceAll('https://idp', 'javascript://idp'), 'no address'],
      [xml.replaceAll('HTTP-Redirect', 'HTTP-Artifact'), 'no address'],
    ];
    for (const [metadataXml, reason] of bad) {
      const { status, issues } = await saml.save({ metadataXml });
      expect([status, issues]).toEqual([
        400,
        [{ path: 'metadataXml', message: expect.stringContaining(reason) }],
      ]);
    }
    const both = await saml.save({ metadataXml: xml, metadataUrl: 'https://idp.acme.example/' });
    expect(both.status).toBe(400);
    expect((await saml.save({ metadataUrl: 'http://10.0.0.1/metadata' })).code).toBe('url_not_allowed');
    expect((await saml.row()).version).toBe(1);
    const more = { name: 'Acme', metadataXml: xml };
    for (let at = 1; at < 5; at += 1)
      expect((await saml.world.call('sso.saveSaml', more, saml.as)).status).toBe(200);
    expect((await saml.world.call('sso.saveSaml', more, saml.as)).code).toBe('limit_reached');
  });

  it('accepts metadata of half a megabyte, over both transports, and no larger', async () => {
    await using saml = await startSamlWorld();
    const xml = saml.idp.metadata(IDP);
    const metadataXml = xml.replace('</md:IDP', `${' '.repeat(512 * 1024 - xml.length)}</md:IDP`);
    for (const transport of ['rest', 'trpc'] as const) {
      const send = (text: string) =>
        saml.world.call('sso.saveSaml', { name: 'Acme', metadataXml: text }, saml.as, { transport });
      expect((await send(metadataXml)).status).toBe(200);
      expect((await send(`${metadataXml} `)).status).toBe(400);
      const other = await saml.world.call('sso.addDomain', { domain: metadataXml }, saml.as, { transport });
      expect(other.status).toBe(413);
    }
  });

  it('publishes its next key long before it signs, and keeps the previous one', async () => {
    await using saml = await startSamlWorld();
    const published = async () => {
      const response = await fetch(`${saml.world.other.url}/sso/saml/${saml.key}/metadata`);
      expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml');
      const xml = await response.text();
      expect(xml).toContain(`entityID="${saml.urls().ourEntityId}"`);
      const found = [...xml.matchAll(/use="signing".*?<ds:X509Certificate>([^<]*)</g)];
      return found.map(
        ([, certificate = '']) => new X509Certificate(Buffer.from(certificate, 'base64')).serialNumber,
      );
    };
    const run = () => samlMetadataChecks.run(saml.world.service.services);
    const [first = '', ...none] = await published();
    expect(none).toEqual([]);
    await run();
    saml.world.wait(3 * 365 * DAY_MS - 119 * DAY_MS);
    await run();
    const [signing, next = '', ...others] = await published();
    expect([signing, others]).toEqual([first, []]);
    saml.world.wait(90 * DAY_MS);
    expect(await published()).toEqual([next, first]);
    saml.world.wait(31 * DAY_MS);
    await run();
    expect(await published()).toEqual([next]);
  });
});

describe('the metadata of an identity provider', () => {
  it('is fetched daily and for an unknown key, and stays as it was when it cannot be fetched', async () => {
    await using server = await startMetadataServer();
    const first = createSamlIdentityProvider({ entityId: 'https://idp.acme.example/saml' });
    const next = createSamlIdentityProvider({ entityId: first.entityId });
    server.serve(first.metadata(IDP));
    await using saml = await startSamlWorld({ idp: first, metadataUrl: server.url });
    const { service } = saml.world;
    const arrives = async (idp = first) => {
      const requestId = saml.request();
      return (await answer(saml, requestId, idp.answer(saml.said(requestId)))).code !== undefined;
    };
    expect(await arrives()).toBe(true);
    expect(server.reads()).toBe(1);
    await samlMetadataChecks.run(service.services);
    expect(server.reads()).toBe(3);
    saml.world.wait(300_001);
    expect(await samlMetadataChecks.run(service.services)).toBe(0);
    server.serve(next.metadata(IDP));
    expect(await arrives(next)).toBe(true);
    const reads = server.reads();
    expect(await arrives(first)).toBe(false);
    expect(server.reads()).toBe(reads);
    expect((await saml.row()).version).toBe(1);
    const problems: [string | number, RegExp | null][] = [
      [503, /status 503/],
      ['<a/>', /not the metadata/],
      [next.metadata(IDP).replace(next.entityId, 'https://evil.example'), /another identity provider/],
      [next.metadata(IDP), null],
    ];
    for (const [served, problem] of problems) {
      server.serve(served);
      saml.world.wait(DAY_MS);
      await samlMetadataChecks.run(saml.world.other.services);
      const { metadataCheck } = await saml.row();
      if (problem === null) expect(metadataCheck?.problem).toBeNull();
      else expect(metadataCheck?.problem).toMatch(problem);
      expect(await arrives(next)).toBe(true);
    }
  });

  it('that names other addresses is in the audit log, and requires a new test if it was not switched on', async () => {
    await using server = await startMetadataServer();
    const idp = createSamlIdentityProvider({ entityId: 'https://idp.acme.example/saml' });
    server.serve(idp.metadata(IDP));
    await using saml = await startSamlWorld({ idp, metadataUrl: server.url });
    const { service, db } = saml.world;
    const look = async () => {
      saml.world.wait(DAY_MS);
      await samlMetadataChecks.run(service.services);
      const lines = await db.select().from(db.tables.auditLog);
      return lines
        .filter(({ action, actorId }) => action === 'sso.connection-changed' && actorId === null)
        .map(({ before, after }) => ({ before, after }));
    };
    expect(await look()).toEqual([]);
    expect((await saml.row()).testedVersion).toBe(1);
    server.serve(idp.metadata({ ssoUrl: 'https://new.acme.example/sso', logoutUrl: IDP.ssoUrl }));
    const [line, ...others] = await look();
    expect(others).toEqual([]);
    expect(JSON.stringify(line)).toContain('https://new.acme.example/sso');
    expect(JSON.stringify(line)).toContain('logoutAnswerUrl');
    expect((await saml.row()).testedVersion).toBeNull();
    expect((await saml.row()).live).toMatchObject({ ssoUrl: 'https://new.acme.example/sso' });
    await saml.setLive(true);
    const next = createSamlIdentityProvider({ entityId: idp.entityId });
    server.serve(next.metadata({ ssoUrl: 'https://new.acme.example/sso', logoutUrl: IDP.ssoUrl }));
    expect(await look()).toHaveLength(2);
    expect((await saml.row()).testedVersion).toBe(1);
  });

  it('warns the owners before its last certificate expires, and accepts it afterwards', async () => {
    const endsAtMs = Math.floor((Date.now() + 40 * DAY_MS) / 1_000) * 1_000;
    await using saml = await startSamlWorld({ idp: createSamlIdentityProvider({ notAfterMs: endsAtMs }) });
    const { service } = saml.world;
    const mails = async () =>
      (await readOutbox(service)).filter(({ kind }) => kind === 'certificateEnding').length;
    const counts: number[] = [];
    for (const days of [0, 11, 1, 20, 1, 6, 1, 1]) {
      saml.world.wait(days * DAY_MS);
      await samlMetadataChecks.run(service.services);
      counts.push(await mails());
    }
    expect(counts).toEqual([0, 1, 1, 1, 2, 3, 3, 3]);
    const requestId = saml.request();
    expect((await answer(saml, requestId)).code).toBeDefined();
  });
});
