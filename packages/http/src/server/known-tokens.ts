/** Reports which tokens are valid. */
export interface KnownTokens {
  /** The lower-case name of the header that carries session tokens. */
  readonly headerName: string;
  /** Whether this token was verified recently. Only a look-up. */
  remembers(kind: 'session' | 'bearer', token: string): boolean;
  opens(kind: 'session' | 'bearer', token: string): boolean;
}
