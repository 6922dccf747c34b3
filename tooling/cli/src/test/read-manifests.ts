import { readdir, readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const FOLDER = new URL('../../../../deploy/kubernetes/', import.meta.url);

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }).optional(),
});

/** One object of deploy/kubernetes. */
export type Manifest = z.output<typeof manifestSchema>;

/** The objects of each file of deploy/kubernetes, by the file's name. */
export async function readManifests(): Promise<ReadonlyMap<string, readonly Manifest[]>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.yaml'));
  const read = async (name: string) => {
    const documents = parseAllDocuments(await readFile(new URL(name, FOLDER), 'utf8'));
    const errors = documents.flatMap((document) => ('errors' in document ? document.errors : []));
    if (errors[0] !== undefined) throw errors[0];
    return [name, documents.map((document) => manifestSchema.parse(document.toJS()))] as const;
  };
  return new Map(await Promise.all(files.map(read)));
}
