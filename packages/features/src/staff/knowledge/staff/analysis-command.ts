import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program and the arguments before its values. */
export interface AnalysisCommand {
  readonly file: string;
  readonly leading: readonly string[];
}

/** The program of ANALYSIS_PROGRAM, or the default one of this deployment. Node runs a JavaScript file. */
export function analysisCommand(program: string | undefined): AnalysisCommand {
  const shipped = new URL('../../../../analysis/summarise-conversations.mjs', import.meta.url);
  const file = program ?? fileURLToPath(shipped);
  if (/\.[cm]?js$/.test(file)) return { file: process.execPath, leading: [resolve(file)] };
  return { file: file.includes('/') ? resolve(file) : file, leading: [] };
}
