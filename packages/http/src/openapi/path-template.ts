/** A path of the table in OpenAPI's spelling: `/getUserdetail:userid` is `/getUserdetail{userid}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
}

/** The names of its parameters. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);
}
