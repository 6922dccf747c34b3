/** The store of the session token between calls: memory, a browser's storage, or your own. */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
  /** Reports changes made elsewhere, such as in another tab. Returns a function that stops it. */
  subscribe?(listener: () => void): () => void;
}
