import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const CATALOGUE = /\/messages\/[a-z]{2}\.json$/;

/**
 * Compiles catalogs of ICU messages, so that no browser loads a parser.
 * @param list the name of a file of the build that lists the messages, for people who replace some: by id the names of the values
 * in each, or null if it has plurals or choices
 */
export function compiledMessages(list?: string): Plugin {
  const listed = new Map<string, readonly string[] | null>();
  return {
    name: 'gatehouse:compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!CATALOGUE.test(id)) return null;
      for (const [message, text] of textsOf(code)) listed.set(message, namesIn(text));
      return {
        code: `export default ${JSON.stringify(compileCatalogue(code))}`,
        moduleType: 'js',
        map: null,
      };
    },
    generateBundle() {
      if (list === undefined) return;
      const sorted = [...listed].toSorted(([one], [other]) => (one < other ? -1 : 1));
      this.emitFile({ type: 'asset', fileName: list, source: JSON.stringify(Object.fromEntries(sorted)) });
    },
  };
}

/**
 * A catalog as Lingui formats it.
 * @throws {Error} naming the message that is not ICU
 */
export function compileCatalogue(json: string): Record<string, unknown> {
  return Object.fromEntries(
    textsOf(json).map(([id, text]) => {
      const compiled = compileMessage(text);
      // The compiler leaves a text that it cannot parse unchanged.
      if ([compiled].flat().some((part) => typeof part === 'string' && part.includes('{')))
        throw new Error(`The message ${id} is not ICU`);
      return [id, compiled];
    }),
  );
}

function textsOf(json: string): [id: string, text: string][] {
  const messages: unknown = JSON.parse(json);
  if (typeof messages !== 'object' || messages === null)
    throw new Error('A catalogue is an object of messages');
  return Object.entries(messages).map(([id, text]) => {
    if (typeof text !== 'string') throw new Error(`The message ${id} is no text`);
    return [id, text];
  });
}

/** The names of the values in a message; null if it has plurals or choices. */
function namesIn(text: string): readonly string[] | null {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return /\{\w+,/.test(text) ? null : [...new Set(names)];
}
