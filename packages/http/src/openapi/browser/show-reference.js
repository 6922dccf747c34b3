// Shows the document with this page's query in Swagger UI, which keeps tokens in memory only.
{
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const setColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  setColors();
  dark.addEventListener('change', setColors);

  const LANGUAGES = { Shell: 'bash', TypeScript: 'javascript' };

  /** Adds the `x-codeSamples` of an operation, which Swagger UI does not show, below its parameters. */
  const withSamples =
    (Parameters, { getComponent, React: { createElement, Fragment } }) =>
    (props) => {
      const samples = props.operation.get('x-codeSamples').toJS();
      const sections = samples.map(({ label, lang, source }) =>
        createElement(
          'section',
          { key: label },
          createElement(
            'div',
            { className: 'opblock-section-header' },
            createElement('h4', { className: 'opblock-title' }, label),
          ),
          createElement(
            'div',
            { className: 'opblock-description-wrapper' },
            createElement(
              getComponent('HighlightCode', true),
              { language: LANGUAGES[lang], canCopy: true },
              source,
            ),
          ),
        ),
      );
      return createElement(Fragment, null, createElement(Parameters, props), ...sections);
    };

  /** Leaves the cookie and its header out of what people may authorize with: calls from here send no cookie. */
  const withoutCookies =
    (readSchemes) =>
    (...state) =>
      readSchemes(...state)?.filter((_scheme, name) => !name.startsWith('cookie'));

  /** Keeps browsers from storing the tokens that people paste. */
  const withoutHistory =
    (Input, { React: { createElement } }) =>
    (props) =>
      createElement(Input, { ...props, autoComplete: 'off' });

  /** Follows the references in a part of the document. A reference within its own target stays as it is. */
  const withoutReferences = (document, part, within = []) => {
    if (Array.isArray(part)) return part.map((each) => withoutReferences(document, each, within));
    if (part === null || typeof part !== 'object') return part;
    const { $ref: reference } = part;
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      if (within.includes(reference)) return part;
      const names = reference.slice(2).split('/');
      const named = names.reduce(
        (at, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );
      return withoutReferences(document, named, [...within, reference]);
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, withoutReferences(document, value, within)]),
    );
  };

  /**
   * Replaces the resolver of Swagger UI, which reads the whole document again for each operation that is opened: seconds for
   * ours, whose references all lead to its own components.
   */
  const resolveSubtree = (document, path) => {
    const part = path.reduce((at, name) => at?.[name], document);
    return Promise.resolve({ spec: withoutReferences(document, part), errors: [] });
  };

  SwaggerUIBundle({
    dom_id: '#reference',
    url: `/openapi.json${location.search}`,
    deepLinking: true,
    filter: true,
    // With 150 open rows and more, Swagger UI renders only those in view, and often fails to scroll to the one that a link names.
    docExpansion: 'none',
    validatorUrl: null,
    plugins: [
      {
        fn: { resolveSubtree },
        wrapComponents: { parameters: withSamples, Input: withoutHistory },
        statePlugins: { spec: { wrapSelectors: { securityDefinitions: withoutCookies } } },
      },
    ],
    // Calls go to the address of this page, without cookies.
    requestInterceptor: (request) => {
      const { pathname, search } = new URL(request.url, location.href);
      return Object.assign(request, { url: location.origin + pathname + search, credentials: 'omit' });
    },
  });
}
