import type { RoleName } from '@gatehouse/auth-core';

/** A person of another system. Absent fields are not known there. */
export interface ForeignPerson {
  /** Their id there. */
  readonly id: string;
  readonly email?: string | undefined;
  /** Whether the system has verified the address. */
  readonly isConfirmed?: boolean | undefined;
  /** A name that is unique there, if it is not their address. */
  readonly username?: string | undefined;
  /** A name that they chose and others may share, from which a username is made. */
  readonly alias?: string | undefined;
  /** The whole name, in place of the two below. */
  readonly name?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** A hash in a form that `docs/importing.md` lists. */
  readonly password?: string | undefined;
  readonly plainPassword?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Milliseconds since 1970, or ISO 8601. */
  readonly createdAt?: number | string | undefined;
  /** The providers by which they sign in. */
  readonly connections?: readonly ForeignConnection[] | undefined;
  /** The secret of their authenticator app, in base32. */
  readonly totp?: string | undefined;
  readonly passkeys?: readonly ForeignPasskey[] | undefined;
  /** The names of their roles outside organizations. The map decides whether they mean anything here. */
  readonly roles?: readonly string[] | undefined;
}

/** An identity at one of the providers that we know. */
export interface ForeignConnection {
  readonly provider: string;
  readonly id: string;
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
}

/** A WebAuthn credential. */
export interface ForeignPasskey {
  /** The id of the credential, in base64url. */
  readonly id: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** The domain that it was made for. */
  readonly rpId: string;
  readonly counter: number;
  readonly name?: string | undefined;
  readonly transports?: readonly string[] | undefined;
  readonly userHandle?: string | undefined;
  readonly backupEligible?: boolean | undefined;
  readonly backedUp?: boolean | undefined;
  readonly createdAt?: number | string | undefined;
  /** Whether sign-ins take it as a second step. */
  readonly isSecondStep?: boolean | undefined;
}

/** An organization of another system. */
export interface ForeignAccount {
  readonly id: string;
  readonly name: string;
  /** The person there who owns it. */
  readonly ownerId: string;
  readonly createdAt?: number | string | undefined;
}

/** The members of each organization of another system. */
export interface ForeignMembership {
  readonly personId: string;
  readonly accountId: string;
  /** The names of their roles there. The highest applies. */
  readonly roles: readonly string[];
}

/** The content of a line of a file of another system. */
export interface ForeignLine {
  readonly file: string;
  readonly number: number;
  readonly person?: ForeignPerson | undefined;
  readonly account?: ForeignAccount | undefined;
  readonly membership?: ForeignMembership | undefined;
  /** The id of the organization that does not come with it. */
  readonly failed?: string | undefined;
  /** Why none of it is imported. */
  readonly problem?: string | undefined;
  /** What is left out of it, in words that many lines share. */
  readonly notes?: readonly string[] | undefined;
}

/** Fields of a record by the names of the columns, without empty ones. */
export type ForeignFields = Readonly<Record<string, string>>;

/** A record of a file: its fields, a JSON value, or why it cannot be read. */
export interface ForeignRow<Value> {
  readonly file: string;
  readonly number: number;
  readonly value?: Value;
  readonly problem?: string;
}

/** The files that the operator named, by what they are. */
export interface ForeignFiles {
  /** Whether there is one with this name. */
  has(name: string): boolean;
  /** The records of a CSV file. */
  readCsv(name: string): AsyncGenerator<ForeignRow<ForeignFields>>;
  /** The objects in a list that is a field of the one object of a JSON file. */
  readJsonArray(name: string, field: string): AsyncGenerator<ForeignRow<unknown>>;
  /** Whether the file begins as JSON does. */
  isJson(name: string): Promise<boolean>;
  /** The objects of a JSON file: those of the list that it is, or one on each line. */
  readJsonObjects(name: string): AsyncGenerator<ForeignRow<unknown>>;
  /**
   * Remembers where the values of a file with a JSON value on each line are, by their keys, and reads those of one key. It keeps
   * some twenty bytes for each.
   * @throws {CommandError} for a line without a key, because somebody would then lack a password or a second factor
   */
  indexJsonLines(
    name: string,
    keyOf: (value: unknown) => string | undefined,
  ): Promise<(key: string) => Promise<readonly unknown[]>>;
  /** Whether the file begins as a dump of PostgreSQL in SQL does. */
  isDump(name: string): Promise<boolean>;
  /** The rows of a table in such a dump. */
  readDump(name: string, table: string): AsyncGenerator<ForeignRow<ForeignFields>>;
  /** The same as of a CSV file. */
  indexDump(
    name: string,
    of: { readonly table: string; readonly column: string },
  ): Promise<(key: string) => Promise<readonly ForeignFields[]>>;
  /** The same of a CSV file, by the text in one of its columns. */
  indexCsv(name: string, column: string): Promise<(key: string) => Promise<readonly ForeignFields[]>>;
}

/** The operator's options for the import. */
export interface ForeignOptions {
  /** Whether a member with these roles may own an account here. */
  owns(roles: readonly string[]): boolean;
  /** How the system hashes passwords, in its own format: the text of the file of `--hash-config`. */
  readonly hashConfig?: string | undefined;
  /** The domain of passkeys here; undefined where the variables name none. */
  readonly rpId: string | undefined;
  /** A variable of the operator's environment. */
  variable(name: string): string | undefined;
  readonly nowMs: number;
}

/** Reads what another system exports. */
export interface ForeignReader {
  /** The kind of each of its files, by name: `users`, say. The operator gives at least the first one. */
  readonly files: Readonly<Record<string, string>>;
  /** The roles here for its roles in organizations, unless a map says otherwise. */
  readonly roles: Readonly<Record<string, RoleName>>;
  /** People first, then organizations, then memberships. */
  read(files: ForeignFiles, options: ForeignOptions): AsyncIterable<ForeignLine>;
}
