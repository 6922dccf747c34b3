import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder, findFreePort } from '@gatehouse/testkit';
import { findProgram, startProxy } from '@gatehouse/testkit/operations';
import { makeCertifiedKey } from './certified-key.js';
import { createFormBrowser, unescapeHtml } from './form-browser.js';

/** The pages of Debian's package. */
const PAGES = '/usr/share/simplesamlphp/www';

/** The password of its administrator. */
export const SIMPLESAMLPHP_ADMIN_PASSWORD = 'Compass-Orchard-58';

/** The password of everybody there. */
export const SIMPLESAMLPHP_PASSWORD = 'Harvest-Tunnel-31';

type Settings = Readonly<Record<string, unknown>>;

/** SimpleSAMLphp as an identity provider, whose people are those of a list. */
export interface SimpleSamlPhp extends AsyncDisposable {
  readonly entityId: string;
  readonly metadataUrl: string;
  /** Its page on which the administrator turns metadata into settings. */
  readonly converterUrl: string;
  /** Ends its session in a browser that opens this, and goes to an address afterwards. */
  logoutUrl(returnTo: string): string;
  /** Where somebody begins a sign-in there, at a service. */
  startUrl(serviceEntityId: string): string;
  /** Changes some of the identity provider's first settings. */
  set(hosted: Settings): Promise<void>;
  /** Adds a service by its metadata, with the page for that, and settings of its own. */
  trust(metadataXml: string, settings?: Settings): Promise<void>;
  /** Adds services by what that page makes of their metadata. */
  addServices(converted: string, settings?: Settings): Promise<void>;
  /** Makes another key, whose name is returned. */
  makeKey(options?: { bits?: number }): Promise<string>;
}

/**
 * Starts one on this machine, of the package, with its settings in a temporary folder.
 * @param people their attributes by their names
 */
export async function startSimpleSamlPhp(
  people: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): Promise<SimpleSamlPhp> {
  const folder = await createTestFolder();
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const place = (...names: string[]) => join(folder.path, ...names);
  for (const name of ['config', 'metadata', 'cert', 'log', 'data', 'temp', 'sessions'])
    await mkdir(place(name));
  const write = (file: string, variable: string, value: unknown) =>
    writeFile(
      place(file),
      `<?php\n${variable} = json_decode(<<<'SETTINGS'\n${JSON.stringify(value)}\nSETTINGS, true);\n`,
    );
  await write('config/config.php', '$config', {
    baseurlpath: `${url}/`,
    certdir: place('cert/'),
    loggingdir: place('log/'),
    datadir: place('data/'),
    tempdir: place('temp'),
    metadatadir: place('metadata/'),
    attributenamemapdir: '/etc/simplesamlphp/attributemap/',
    secretsalt: randomUUID(),
    'auth.adminpassword': SIMPLESAMLPHP_ADMIN_PASSWORD,
    'admin.checkforupdates': false,
    technicalcontact_email: 'admin@acme.example',
    timezone: 'UTC',
    'trusted.url.domains': ['127.0.0.1:4000'],
    'logging.level': 7,
    'logging.handler': 'file',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true, admin: true },
    'session.cookie.secure': false,
    'session.cookie.samesite': 'Lax',
    'session.phpsession.savepath': place('sessions'),
    'language.cookie.secure': false,
    'language.cookie.samesite': 'Lax',
    'metadata.sources': [{ type: 'flatfile' }],
    'store.type': 'phpsession',
  });
  const logins = Object.entries(people).map(([name, attributes]) => [
    `${name}:${SIMPLESAMLPHP_PASSWORD}`,
    { uid: [name], ...attributes },
  ]);
  await write('config/authsources.php', '$config', {
    admin: ['core:AdminPassword'],
    people: { 0: 'exampleauth:UserPass', ...Object.fromEntries(logins) },
  });
  const entityId = `${url}/saml2/idp/metadata.php`;
  let keys = 0;

  const idp: SimpleSamlPhp = {
    entityId,
    metadataUrl: entityId,
    converterUrl: `${url}/admin/metadata-converter.php`,
    logoutUrl: (returnTo) =>
      `${url}/saml2/idp/SingleLogoutService.php?${new URLSearchParams({ ReturnTo: returnTo }).toString()}`,
    startUrl: (spentityid) =>
      `${url}/saml2/idp/SSOService.php?${new URLSearchParams({ spentityid }).toString()}`,
    set: (hosted) =>
      write('metadata/saml20-idp-hosted.php', '$metadata', {
        [entityId]: {
          host: '__DEFAULT__',
          privatekey: 'key1.pem',
          certificate: 'key1.crt',
          auth: 'people',
          'userid.attribute': 'uid',
          'sign.logout': true,
          ...hosted,
        },
      }),
    async trust(metadataXml, settings) {
      const browser = createFormBrowser('none:');
      const login = await browser.open(idp.converterUrl);
      const converter = await browser.send(login, { password: SIMPLESAMLPHP_ADMIN_PASSWORD });
      const { text } = await browser.send(converter, { xmldata: metadataXml });
      const [, converted = ''] = /<(?:pre|textarea)[^>]*>(\s*\$metadata.*?)<\//s.exec(text) ?? [];
      if (converted === '') throw new Error(`The converter answers:\n${text}`);
      await idp.addServices(unescapeHtml(converted), settings);
    },
    addServices: (converted, settings = {}) =>
      writeFile(
        place('metadata/saml20-sp-remote.php'),
        `<?php\n${converted}\nforeach ($metadata as &$each) $each = array_merge($each, json_decode(<<<'SETTINGS'\n${JSON.stringify(settings)}\nSETTINGS, true));\n`,
      ),
    async makeKey(options) {
      keys += 1;
      const name = `key${keys}`;
      const { privateKey, certificate } = makeCertifiedKey(options);
      await writeFile(place('cert', `${name}.pem`), privateKey);
      await writeFile(place('cert', `${name}.crt`), certificate);
      return name;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
  await idp.makeKey();
  await idp.set({});
  const server = await startProxy({
    program: findProgram('php') ?? 'php',
    args: ['-d', 'opcache.enable=0', '-S', `127.0.0.1:${port}`, '-t', PAGES],
    env: { SIMPLESAMLPHP_CONFIG_DIR: place('config'), PATH: process.env['PATH'] ?? '' },
    ports: [port],
  });
  return idp;
}
