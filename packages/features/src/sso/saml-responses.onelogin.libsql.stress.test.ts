import { printMeasurements, rounds } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { mutateSaml, seededRandom } from '../test/mutate-saml.js';
import { type OneLogin, startOneLogin } from '../test/onelogin.js';
import { type AskedSaml, createSamlForms, encodeSaml, type SamlForms } from '../test/saml-forms.js';
import { readSamlKey } from './saml-key.js';
import { claimedRequestId, verifySamlResponse } from './verify-saml-response.js';

function askedNow(): AskedSaml {
  return {
    ourEntityId: 'https://auth.example/sso/saml/k/metadata',
    acsUrl: 'https://auth.example/sso/saml/k/acs',
    requestId: '_request-1',
    nowMs: Date.now(),
  };
}

function startPeer(asked: AskedSaml, { idp }: SamlForms): OneLogin {
  return startOneLogin({ ...asked, issuer: idp.entityId, certificate: idp.certificate });
}

function ours(sent: string, asked: AskedSaml, { idp }: SamlForms) {
  const key = readSamlKey(idp.certificate);
  const { verified, verdicts } = verifySamlResponse(sent, {
    ...asked,
    issuer: idp.entityId,
    keys: key === undefined ? [] : [key.publicKey],
    decryptionKeys: [],
  });
  const failed = verdicts.find(({ passed }) => !passed);
  // Our ACS finds the request by what is around the assertion.
  if (verified !== null && claimedRequestId(sent) !== asked.requestId)
    return { claims: undefined, refusal: 'inResponseTo: It answers another request.' };
  return { claims: verified?.claims, refusal: failed && `${failed.check}: ${failed.problem ?? ''}` };
}

/** What their toolkit refuses in parts that are unsigned and never read here. */
const WITHOUT_EFFECT: readonly RegExp[] = [
  // Namespaces whose names are not URIs. Unused ones are not part of what is signed.
  /is not a valid URI/,
  // It reads the first attribute of StatusCode, whatever its name.
  /^The status code of the Response was not Success, was (?:x|_other|1\.0)$/,
  // Attributes that the schema does not have, around the assertion and in KeyInfo.
  /Not match the saml-schema-protocol/,
  // Spaces around the name of the issuer.
  /^Invalid issuer .* got https:\/\/idp\.example\/saml\s+\)$|^Invalid issuer .* got\s+https:\/\/idp\.example\/saml\)$/,
  // A signature of the response over something else, which is not regarded as a signature.
  /^Found an invalid Signed Element/,
];

const isWithoutEffect = (error: string): boolean => WITHOUT_EFFECT.some((theirs) => theirs.test(error));

describe('a SAML response that we accept', () => {
  it('is accepted by the toolkit of OneLogin too, for every known way to tamper with it', async () => {
    const asked = askedNow();
    const forms = createSamlForms(asked);
    await using peer = startPeer(asked, forms);
    const { good, misdirected, incomplete, missigned, changed, wrapped, unreadable } = forms;
    const groups = { good, misdirected, incomplete, missigned, changed, wrapped, unreadable };
    const rows = Object.entries(groups).flatMap(([group, answers]) =>
      answers.map(([name, make]) => ({ group, name, sent: make() })),
    );
    const table: { form: string; ours: string; theirs: string }[] = [];
    for (const { group, name, sent } of rows) {
      const [mine, theirs] = [ours(sent, asked, forms), await peer.judge(sent)];
      const words = { ours: mine.refusal ?? 'accepts', theirs: theirs.error ?? 'accepts' };
      table.push({ form: `${group}: ${name}`, ...words });
    }
    process.stdout.write(
      `${table.map((row) => `| ${Object.values(row).join(' | ').replaceAll('\n', ' ')} |`).join('\n')}\n`,
    );
    const laxer = table.filter((row) => row.ours === 'accepts' && row.theirs !== 'accepts');
    expect(laxer.filter(({ theirs }) => !isWithoutEffect(theirs))).toEqual([]);
    expect(table.filter((row) => row.form.startsWith('good') && row.ours !== 'accepts')).toEqual([]);
    expect(table.filter((row) => !row.form.startsWith('good') && row.ours === 'accepts')).toEqual([]);
    printMeasurements('known ways to spoil an answer', {
      forms: rows.length,
      acceptedByTheirs: table.filter((row) => !row.form.startsWith('good') && row.theirs === 'accepts')
        .length,
    });
  });

  it('returns what was signed, and is accepted by that toolkit, after any random change', async () => {
    const asked = askedNow();
    const forms = createSamlForms(asked);
    await using peer = startPeer(asked, forms);
    const honest = ours(encodeSaml(forms.signed), asked, forms).claims;
    const seed = Date.now();
    const random = seededRandom(seed);
    const count = { both: 0, ours: 0, theirs: 0, neither: 0, misled: 0 };
    const laxer = new Map<string, string>();
    const changes = rounds({ suite: 100, stress: 20_000 });
    for (let at = 0; at < changes; at += 1) {
      const xml = mutateSaml(forms.signed, random);
      const [mine, theirs] = [ours(encodeSaml(xml), asked, forms), await peer.judge(encodeSaml(xml))];
      if (mine.claims !== undefined) expect({ xml, claims: mine.claims }).toEqual({ xml, claims: honest });
      if (theirs.error === null && theirs.nameId !== honest?.nameId) count.misled += 1;
      const who = mine.claims === undefined ? ['theirs', 'neither'] : ['both', 'ours'];
      count[(theirs.error === null ? who[0] : who[1]) as keyof typeof count] += 1;
      if (mine.claims !== undefined && theirs.error !== null && !isWithoutEffect(theirs.error))
        laxer.set(theirs.error.slice(0, 80), xml);
    }
    expect({ seed, laxer: [...laxer] }).toEqual({ seed, laxer: [] });
    printMeasurements('answers changed by chance', { changes, ...count });
  });
});
