import { useQueryClient } from '@tanstack/react-query';

/** What a part of the screen says when something was done. */
export interface Done {
  readonly notice: string;
  /** New backup codes, which are shown this once. */
  readonly backupCodes?: readonly string[] | undefined;
}

/** Asks anew for everything that a change of factors, sessions or the password makes stale. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(['you', 'me'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
}
