/** One migration of the package. */
export interface Migration {
  /** Its file name without the extension: `0001_add_affiliates`. */
  name: string;
  /** The hexadecimal SHA-256 of the file. */
  sha256: string;
  statements: string[];
}
