/** The Nodes of the matrix: every line of releases that is supported or was until this year. */
export const NODES = ['20', '22', '24', '26'] as const;

/** The databases of the matrix, as its columns. */
export const DATABASES = ['embedded', 'mariadb', 'mysql'] as const;

export type MatrixDatabase = (typeof DATABASES)[number];

/** One combination of Node and database. */
export interface Cell {
  readonly node: string;
  readonly database: MatrixDatabase;
}

/** The Node of the image: its cells run every test of the database; those of the others leave the slow ones out. */
export const PRIMARY_NODE = '24';

/**
 * The cells of the chosen Nodes and databases, the primary Node's first.
 * @throws Error that names what is not in the matrix
 */
export function cellsOf(nodes: readonly string[], databases: readonly string[]): Cell[] {
  for (const node of nodes) {
    if (!NODES.some((known) => known === node)) throw new Error(`--node is one of ${NODES.join(', ')}`);
  }
  for (const database of databases) {
    if (!DATABASES.some((known) => known === database))
      throw new Error(`--database is one of ${DATABASES.join(', ')}`);
  }
  const wanted = NODES.filter((node) => nodes.length === 0 || nodes.includes(node));
  return [
    ...wanted.filter((node) => node === PRIMARY_NODE),
    ...wanted.filter((node) => node !== PRIMARY_NODE),
  ].flatMap((node) =>
    DATABASES.filter((database) => databases.length === 0 || databases.includes(database)).map(
      (database) => ({
        node,
        database,
      }),
    ),
  );
}
