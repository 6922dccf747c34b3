import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './read-manifests.js';

const FILE = fileURLToPath(new URL('manifests.ts', import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * What the schema of Kubernetes refuses: fields it does not know, missing ones, and values of another type. The types of
 * kubernetes-types are made from that schema, and the compiler compares each object with its own.
 */
export function findManifestFaults(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map((manifest, at) => {
    const module = manifest.apiVersion.includes('/')
      ? manifest.apiVersion.replace(/^([a-z]+)[^/]*/, '$1')
      : `core/${manifest.apiVersion}`;
    return `export const m${at}: import('kubernetes-types/${module}').${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  const text = lines.join('\n');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.getSourceFile = (path, target) =>
    path === FILE ? ts.createSourceFile(path, text, target) : getSourceFile(path, target);
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map((fault) => {
    const line = fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? 0;
    const name = manifests[line]?.metadata?.name ?? '';
    return `${manifests[line]?.kind} ${name}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`;
  });
}
