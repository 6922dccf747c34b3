import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder, findFreePort } from '@gatehouse/testkit';
import { findProgram, startProxy } from '@gatehouse/testkit/operations';
import { makeCertifiedKey } from './certified-key.js';

const PORTAL = '/usr/share/lemonldap-ng/portal';

/** The data it sends about its people: the name and format of each of their fields. */
const ATTRIBUTES = {
  mail: '1;mail;urn:oasis:names:tc:SAML:2.0:attrname-format:basic;mail',
  cn: '0;givenName;urn:oasis:names:tc:SAML:2.0:attrname-format:basic;givenName',
  groups: '0;groups;urn:oasis:names:tc:SAML:2.0:attrname-format:basic;groups',
};

/** The domain of the people of its demonstration, whose passwords are their names. */
export const LEMONLDAP_DOMAIN = 'badwolf.org';

/** LemonLDAP::NG as an identity provider by SAML, with the people of its demonstration. */
export interface Lemonldap extends AsyncDisposable {
  readonly metadataUrl: string;
  /** Ends its session in a browser that opens this. */
  readonly logoutUrl: string;
  /** Makes another key, with which it signs once it is started again. */
  makeKey(): void;
  /** Starts again with one service, which it knows by its metadata, and the options for it. */
  trust(metadataXml: string, options?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts one on this machine, of Debian's packages, with its settings in a temporary folder. */
export async function startLemonldap(): Promise<Lemonldap> {
  const folder = await createTestFolder();
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const place = (...names: string[]) => join(folder.path, ...names);
  const store = (name: string) => ({
    Directory: place(name),
    LockDirectory: place(name, 'lock'),
    generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
  });
  for (const names of [['conf'], ['sessions'], ['sessions', 'lock'], ['persistent'], ['persistent', 'lock']])
    await mkdir(place(...names));
  const cache = `{ 'namespace' => 'configuration', 'cache_root' => '${place('cache')}', 'default_expires_in' => 600, 'cache_depth' => 3 }`;
  await writeFile(
    place('lemonldap-ng.ini'),
    [
      '[all]',
      'logLevel = warn',
      '[configuration]',
      'type = File',
      `dirName = ${place('conf')}`,
      'localStorage = Cache::FileCache',
      `localStorageOptions = ${cache}`,
      '[portal]',
      'staticPrefix = /static',
      `templateDir = ${PORTAL}/templates`,
      'languages = en',
      '',
    ].join('\n'),
  );
  const secret = randomUUID();
  let key = makeCertifiedKey();
  let server: AsyncDisposable | undefined;

  async function start(services: Readonly<Record<string, unknown>>): Promise<void> {
    await server?.[Symbol.asyncDispose]();
    await rm(place('cache'), { recursive: true, force: true });
    await writeFile(
      place('conf/lmConf-1.json'),
      JSON.stringify({
        cfgNum: 1,
        cfgVersion: '2.16.1',
        cfgAuthor: 'tests',
        cfgDate: '1700000000',
        authentication: 'Demo',
        userDB: 'Same',
        passwordDB: 'Null',
        registerDB: 'Null',
        domain: 'localhost',
        portal: `${url}/`,
        securedCookie: 0,
        key: secret,
        notification: 0,
        demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
        macros: { _whatToTrace: '$uid' },
        groups: {},
        exportedVars: {},
        locationRules: {},
        exportedHeaders: {},
        applicationList: {},
        globalStorage: 'Apache::Session::File',
        globalStorageOptions: store('sessions'),
        persistentStorage: 'Apache::Session::File',
        persistentStorageOptions: store('persistent'),
        localSessionStorage: 'Cache::FileCache',
        localSessionStorageOptions: {
          cache_root: place('cache'),
          namespace: 'sessions',
          default_expires_in: 600,
          cache_depth: 3,
        },
        issuerDBSAMLActivation: 1,
        issuerDBSAMLRule: '1',
        samlServicePrivateKeySig: key.privateKey,
        samlServicePublicKeySig: key.certificate,
        ...services,
      }),
    );
    server = await startProxy({
      program: findProgram('plackup') ?? 'plackup',
      args: [
        '-s',
        'HTTP::Server::PSGI',
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        `${PORTAL}/htdocs/index.psgi`,
      ],
      env: { LLNG_DEFAULTCONFFILE: place('lemonldap-ng.ini'), PATH: process.env['PATH'] ?? '' },
      ports: [port],
    });
  }
  await start({});
  return {
    metadataUrl: `${url}/saml/metadata/idp`,
    logoutUrl: `${url}/?logout=1`,
    makeKey() {
      key = makeCertifiedKey();
    },
    trust: (metadataXml, options = {}) =>
      start({
        samlSPMetaDataXML: { gatehouse: { samlSPMetaDataXML: metadataXml } },
        samlSPMetaDataExportedAttributes: { gatehouse: ATTRIBUTES },
        samlSPMetaDataOptions: { gatehouse: options },
      }),
    async [Symbol.asyncDispose]() {
      await server?.[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
