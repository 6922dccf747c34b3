import { createHash } from 'node:crypto';
import { hashPassword, toBase32 } from '@gatehouse/auth-core';

/** A reason why a person is hard to import. */
export const ODDITIES = [
  'plain',
  'idn',
  'accents',
  'nameless',
  'two providers',
  'disabled',
  'unconfirmed',
  'same address in capitals',
  'long name',
  'right to left',
] as const;

export type Oddity = (typeof ODDITIES)[number];

/** A made-up person of another system. */
export interface MadeUpPerson {
  readonly id: string;
  readonly oddity: Oddity;
  readonly email: string;
  readonly isConfirmed: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly isDisabled: boolean;
  /** The secret of the authenticator app, in base32. */
  readonly totp?: string;
  /** The providers' ids of them, by provider. */
  readonly providers: Readonly<Record<string, string>>;
}

const NAMES: Readonly<Record<Oddity, readonly [string, string]>> = {
  plain: ['Ada', 'Miller'],
  idn: ['Jürgen', 'Groß'],
  accents: ['Zoë Éloïse', 'Åström-Nuñez'],
  nameless: ['', ''],
  'two providers': ['Tomás', 'Doe'],
  disabled: ['Dee', 'Barred'],
  unconfirmed: ['Una', 'Firmed'],
  'same address in capitals': ['Una', 'Firmed'],
  'long name': ['Ł'.repeat(300), 'Vandermeer'],
  'right to left': ['يوسف', 'العربي'],
};

/**
 * People with each kind of unusual data, in turn. Those of one kind share a password, because hashing takes long. A person with
 * the previous one's address in capitals cannot be imported.
 */
export function makeForeignPeople(count: number): readonly MadeUpPerson[] {
  return Array.from({ length: count }, (_, at) => {
    const oddity = ODDITIES[at % ODDITIES.length] ?? 'plain';
    const [firstName, lastName] = NAMES[oddity];
    const isTwin = oddity === 'same address in capitals';
    const domain = oddity === 'idn' ? 'bücher.example' : 'old.example';
    const email = isTwin ? `P${at - 1}@OLD.example` : `p${at}@${domain}`;
    return {
      id: `u-${at}`,
      oddity,
      email,
      isConfirmed: oddity !== 'unconfirmed',
      firstName,
      lastName,
      password: passwordOf(oddity),
      isDisabled: oddity === 'disabled',
      ...(oddity === 'accents' ? { totp: secretOf(at) } : {}),
      providers: oddity === 'two providers' ? { google: `1000${at}`, github: `2000${at}` } : {},
    };
  });
}

/** A secret of its own for everybody with an authenticator app. */
function secretOf(at: number): string {
  return toBase32(createHash('sha1').update(String(at)).digest());
}

/** The password of everybody with an oddity. */
function passwordOf(oddity: Oddity): string {
  return `Known-${oddity.replaceAll(' ', '-')}-Ä1`;
}

/** The people who can be imported: all except those with another person's address. */
export function comers(people: readonly MadeUpPerson[]): readonly MadeUpPerson[] {
  return people.filter(({ oddity }) => oddity !== 'same address in capitals');
}

/** The first person of each kind who can be imported. */
export function oneOfEach(people: readonly MadeUpPerson[]): readonly MadeUpPerson[] {
  return ODDITIES.flatMap((oddity) => comers(people).find((person) => person.oddity === oddity) ?? []);
}

/** A hash for each oddity. */
export async function hashEach(
  hash: (password: string) => string | Promise<string> = (password) => hashPassword(password),
): Promise<ReadonlyMap<Oddity, string>> {
  const hashes = await Promise.all(
    ODDITIES.map(async (oddity) => [oddity, await hash(passwordOf(oddity))] as const),
  );
  return new Map(hashes);
}
