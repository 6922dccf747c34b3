/** The document's path of a request, with the values of this request. */
export interface DescribedPath {
  readonly template: string;
  readonly pathname: string;
}

/** Finds the document's path for a request. Case and a trailing slash do not matter, as the document says. */
export function describedPaths(
  templates: readonly string[],
): (pathname: string) => DescribedPath | undefined {
  const patterns = templates
    .toSorted((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .map((template) => ({ template, expression: expressionOf(template) }));
  return (pathname) => {
    for (const { template, expression } of patterns) {
      const values = expression.exec(pathname)?.slice(1);
      if (!values) continue;
      const spelt = template.replaceAll(/\{[A-Za-z]+\}/g, () => values.shift() ?? '');
      return { template, pathname: spelt };
    }
    return undefined;
  };
}

function expressionOf(template: string): RegExp {
  const source = template
    .split(/\{[A-Za-z]+\}/)
    .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`))
    .join('([^/]+)');
  return new RegExp(`^${source}/?$`, 'i');
}
