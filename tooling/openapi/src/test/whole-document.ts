import type { OpenApiDocument, PathItem } from '@gatehouse/http/openapi/open-api-types';

/** The tags of operations that the document without a tag leaves out. */
const LEFT_OUT = ['compatibility', 'oauth', 'pages'];

/**
 * Everything that a service serves, as one document: that without a tag, the paths of the replaced system, those of OAuth, and
 * the pages.
 * @param read answers undefined for a tag that the service does not have
 */
export async function wholeDocument(
  read: (path: string) => Promise<OpenApiDocument | undefined>,
): Promise<OpenApiDocument> {
  const paths = ['/openapi.json', ...LEFT_OUT.map((tag) => `/openapi.json?tag=${tag}`)];
  const [first, ...others] = await Promise.all(paths.map(read));
  if (!first) throw new Error('There is no document');
  const all = [first, ...others.filter((document) => document !== undefined)];
  const joined = <Value>(part: (document: OpenApiDocument) => Readonly<Record<string, Value>>) =>
    Object.fromEntries(all.flatMap((document) => Object.entries(part(document))));
  return {
    ...first,
    tags: [...new Map(all.flatMap(({ tags }) => tags).map((tag) => [tag.name, tag])).values()],
    paths: joinedPaths(all),
    components: {
      schemas: joined(({ components }) => components.schemas),
      responses: joined(({ components }) => components.responses),
      parameters: joined(({ components }) => components.parameters),
      headers: joined(({ components }) => components.headers),
      securitySchemes: joined(({ components }) => components.securitySchemes),
    },
  };
}

/** A path may have its methods in several documents. */
function joinedPaths(documents: readonly OpenApiDocument[]): Record<string, PathItem> {
  const paths = new Map<string, PathItem>();
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths))
      paths.set(path, { ...paths.get(path), ...item });
  }
  return Object.fromEntries(paths);
}
