/** What password hashes, digests and their parts look like in the tables of other systems. */
const SHAPES: readonly RegExp[] = [
  // crypt(3), bcrypt, argon2, scrypt, phpass, Drupal and all that begins with a scheme between dollars, or a part of it
  /^[*!]*\$[\w./+,=-]+\$\S/,
  // The same behind a version, a name or a quote: Nextcloud's 1|$2y$…, Jenkins' #jbcrypt:$2a$…, "$2b$…", and escaped for a shell
  /\\?\$(?:[0-9][abxy]?|argon2(?:i|d|id)|[PHSy]|pbkdf2[\w-]*|scrypt)\\?\$\S{16}/i,
  // LDAP and its kin: {SSHA}, {CRYPT}, {x-issha, 1024}
  /^\{[\w.+-]+(?:, ?\d+)?\}\S{8}/,
  // Keycloak and others keep JSON
  /^[[{]\s*["{[]/,
  // Disabled and missing passwords of passwd(5), shadow(5) and MySQL
  /^(?:[*!]{1,2}|x|NP|\*?(?:LK|NP|NOLOGIN)\*?|\*THISISNOTAVALIDPASSWORD.*)$/i,
  // What exports write where there is no password
  /^(?:\\N|\(?null\)?|nil|none|undefined)$/i,
  // Django marks an unusable password by ! and 40 letters and digits
  /^![A-Za-z0-9]{40}$/,
  // The name of an algorithm before the rest: Django, Werkzeug, Rails, PostgreSQL
  /^(?:md[245]|sha[-_]?[0-9]*|ssha|pbkdf2|bcrypt|scrypt|argon2(?:i|d|id)?|crypt|scram|sm3|apr1|ntlm|nthash|lmhash|ripemd|whirlpool|tiger|blake2?|hmac|unsalted|phpass|firebase|standard)[\w.-]*[$:|,{]\S{8}/i,
  /^md5[0-9a-f]{32}$/i,
  // Hexadecimal, alone or as a part: MySQL's *…, MSSQL's 0x…, PostgreSQL's \x…, md5:salt, salt:hash, hash.salt, Oracle's S:…
  /^[*!]?(?:0x|\d )?[0-9a-f]{16,}$/i,
  /(?:^|\\x|[:$;|,.*{}=])[0-9a-f]{32,}(?:$|[:$;|,.}])/i,
  /^[\w./+=-]{1,64}[:$;|,][0-9a-f]{32,}$/i,
  /^[0-9a-f]{32}.{1,30}$/i,
  // Base64 of 16 to 64 bytes, padded
  /^(?=.{22,})[A-Za-z0-9+/_-]+={1,2}$/,
  // The same as a part: MediaWiki's :pbkdf2:sha512:…:…
  /[:$;|,}][A-Za-z0-9+/]{20,}={0,2}[:$;|,][A-Za-z0-9+/]{20,}={0,2}$/,
  // Lotus Domino
  /^\(G[A-Za-z0-9+/]{19,}\)$/,
  // DES crypt with a sign, BSDi, and the base64 of bcrypt and crypt(3) without its beginning
  /^(?=.*[./])(?=.*[A-Z])(?=.*[a-z])[./A-Za-z0-9]{13}$/,
  /^_[./A-Za-z0-9]{19}$/,
];

/** The lengths of base64 without padding of 16, 20, 24, 28, 32, 48 and 64 bytes, and of bcrypt's parts. */
const UNPADDED_LENGTHS = new Set([22, 27, 31, 32, 38, 43, 53, 64, 86]);
const UNPADDED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9+/._-]+$/;

/**
 * Whether a text has the look of a password hash, a digest or a part of one. Taken for a plain password, it would sign in everybody
 * who has seen it in the tables of another system. Some passwords that were generated have the same look.
 */
export function looksLikeDigest(text: string): boolean {
  const bare = text.trim();
  return (
    SHAPES.some((shape) => shape.test(bare)) || (UNPADDED_LENGTHS.has(bare.length) && UNPADDED.test(bare))
  );
}
