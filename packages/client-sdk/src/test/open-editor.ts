import { dirname } from 'node:path';
import ts from 'typescript';

/** The editor's hover text for the name under the pointer. */
export interface Hover {
  readonly text: string;
  readonly says: string;
}

/**
 * A file as open in an editor.
 * @returns the hover text at the start of a piece of the source, which is searched for within another piece
 */
export function openEditor(path: string, source: string): (piece: string, within?: string) => Hover {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = file === path ? source : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => dirname(path),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });
  return (piece, within = piece) => {
    const at = source.indexOf(within) + within.lastIndexOf(piece);
    const info = service.getQuickInfoAtPosition(path, at);
    return {
      text: ts.displayPartsToString(info?.displayParts),
      says: ts.displayPartsToString(info?.documentation),
    };
  };
}
