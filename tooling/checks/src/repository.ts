/** The text files of a working tree, as git would commit them. Paths are relative to the root, with `/`. */
export interface Repository {
  readonly paths: readonly string[];
  /** The file's text; empty for a path that is not in `paths`. */
  read(path: string): string;
}

/** A repository with the given path → text pairs. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  return { paths: Object.keys(files), read: (path) => files[path] ?? '' };
}
