import type { Plugin } from 'rolldown';

/**
 * V8 stores a file with one character outside Latin-1 with two bytes for each character. Lines do not change, so the source map
 * stays correct.
 */
export function asciiOnly(): Plugin {
  return {
    name: 'ascii-only',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
      }
    },
  };
}

/** As it may occur in a string, a template, a regular expression or a name. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
