import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const CATALOGUE = /\/messages\/[a-z]{2}\.json$/;

/** Compiles catalogues of ICU messages, so that no browser loads a parser. */
export function compiledMessages(): Plugin {
  return {
    name: 'gatehouse:compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!CATALOGUE.test(id)) return null;
      return {
        code: `export default ${JSON.stringify(compileCatalogue(code))}`,
        moduleType: 'js',
        map: null,
      };
    },
  };
}

/**
 * A catalogue as Lingui formats it.
 * @throws {Error} naming the message that is not ICU
 */
export function compileCatalogue(json: string): Record<string, unknown> {
  const messages: unknown = JSON.parse(json);
  if (typeof messages !== 'object' || messages === null)
    throw new Error('A catalogue is an object of messages');
  return Object.fromEntries(
    Object.entries(messages).map(([id, text]) => {
      if (typeof text !== 'string') throw new Error(`The message ${id} is no text`);
      const compiled = compileMessage(text);
      // The compiler leaves what it cannot read as it is.
      if ([compiled].flat().some((part) => typeof part === 'string' && part.includes('{')))
        throw new Error(`The message ${id} is not ICU`);
      return [id, compiled];
    }),
  );
}
