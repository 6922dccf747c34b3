import { createRequire } from 'node:module';
import type * as tr46 from 'tr46';
import { INVISIBLE } from './text-schemas.js';

/** RFC 5321, section 4.5.3.1.3, without the two angle brackets. */
const MAX_LENGTH = 254;
/** RFC 5321, section 4.5.3.1.1, in octets of UTF-8 (RFC 6532, section 3.3). */
const MAX_LOCAL_BYTES = 64;

const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'u');
/** Characters that Unicode has not assigned yet are refused: their normal form may still change. */
const LOCAL_PART = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+(?!\p{N}+$)[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}]$/u;
const ASCII_DOMAIN = /^(?!.*(?:^|\.)xn--)[a-z0-9.-]{1,253}$/;
const MAX_LABEL_LENGTH = 63;

/** Nontransitional, with all checks but that of hyphens, which existing names such as `r3---a.example` fail. */
const UTS_46: tr46.ToASCIIOptions = {
  checkBidi: true,
  checkHyphens: false,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
};

/**
 * The one form in which an e-mail address is stored, mailed to and compared: NFKC, lower case, the domain in
 * ASCII by UTS 46. `Zoe＠Bücher.example` becomes `zoe@xn--bcher-kva.example`. Accents in front of the at sign
 * stay, because the addresses of two people may differ only by an accent. Idempotent.
 * @returns undefined for a text that is no address. Quoted local parts, comments, address literals and
 * invisible characters are refused, and what normalization leaves different from its own normal form.
 */
export function canonicalAddress(text: string): string | undefined {
  const [typedLocal = '', typedDomain = '', ...others] = text.normalize('NFKC').trim().split('@');
  const local = foldAddress(typedLocal);
  const isLocal =
    LOCAL_PART.test(local) &&
    !UNSEEN.test(local) &&
    Buffer.byteLength(local) <= MAX_LOCAL_BYTES &&
    foldAddress(local) === local;
  if (others.length > 0 || !isLocal) return undefined;
  const domain = asciiDomain(typedDomain);
  if (domain === undefined || local.length + 1 + domain.length > MAX_LENGTH) return undefined;
  return `${local}@${domain}`;
}

/**
 * The canonical form of an address that a provider, a partner or an import vouches for.
 * @returns undefined unless it is in that form already, apart from case and the spelling of the domain. Other texts may name a
 * mailbox that is not the one of their canonical form.
 */
export function vouchedAddress(text: string): string | undefined {
  const address = canonicalAddress(text);
  const local = text.slice(0, Math.max(0, text.indexOf('@')));
  const isKept = local === local.normalize('NFKC') && address?.startsWith(`${local.toLowerCase()}@`);
  return isKept ? address : undefined;
}

/** The domain of a canonical address; undefined for a text without one. */
export function domainOfAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  return at < 0 ? undefined : address.slice(at + 1);
}

/** A canonical address for people to read: its domain in Unicode. Any other text stays as it is. */
export function readableAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (at === 0 || !domain.includes('xn--')) return address;
  const { domain: readable, error } = uts46().toUnicode(domain, UTS_46);
  return error ? address : `${address.slice(0, at)}${readable}`;
}

/** A part of an address in the form in which canonical addresses contain it: a domain in ASCII. */
export function addressSearchKey(text: string): string {
  const folded = foldAddress(text);
  const at = folded.lastIndexOf('@') + 1;
  return `${folded.slice(0, at)}${asciiDomain(folded.slice(at)) ?? folded.slice(at)}`;
}

/** NFKC, trimmed, in lower case: the form of login names that are not addresses. Idempotent. */
export function foldAddress(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

/** The one form of a domain: in ASCII by UTS 46, in lower case. Undefined for a text that is no domain of mailboxes. */
export function asciiDomain(text: string): string | undefined {
  if (text.length > MAX_LENGTH || UNSEEN.test(text)) return undefined;
  const lower = text.toLowerCase();
  if (ASCII_DOMAIN.test(lower)) {
    const isDomain =
      DOMAIN.test(lower) && lower.split('.').every((label) => label.length <= MAX_LABEL_LENGTH);
    return isDomain ? lower : undefined;
  }
  const ascii = uts46().toASCII(text, UTS_46);
  if (ascii === null) return undefined;
  const unicode = uts46().toUnicode(ascii, UTS_46).domain;
  return DOMAIN.test(unicode) && !UNSEEN.test(unicode) ? ascii : undefined;
}

let loaded: typeof tr46 | undefined;

/** Loaded with the first domain that needs it: most services see none, and its tables are a megabyte. */
function uts46(): typeof tr46 {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the types of the package are those of what is required
  const found: typeof tr46 = require('tr46');
  loaded = found;
  return found;
}
