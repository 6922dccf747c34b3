/** Where a client keeps the session token between calls: memory, a browser's storage, or something of your own. */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
  /** Tells of changes that were made elsewhere, as in another tab; answers what ends the telling. */
  subscribe?(listener: () => void): () => void;
}
