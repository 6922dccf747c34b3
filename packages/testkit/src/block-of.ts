import { readFileSync } from 'node:fs';

/** A fenced block of code of a document. */
export interface CodeSample {
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** What follows the fence: the language, and a name if it has one. */
  readonly info: string;
  /** The lines between the fences, without the indentation of the fences. */
  readonly body: string;
}

/** All blocks of code of a document, whose path is from the root of the repository. */
export function samplesOf(document: string): CodeSample[] {
  const guide = readFileSync(new URL(`../../../${document}`, import.meta.url), 'utf8');
  return [...guide.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: indentation = '', 2: info = '', 3: body = '' }) => ({
      line: guide.slice(0, index).split('\n').length,
      info,
      body: body.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  );
}

/** Whether a text is in the content of a sample, or behind its fence. */
export function hasText({ info, body }: CodeSample, text: string): boolean {
  return `${info}\n${body}`.includes(text);
}

/** The content of the one block of code of a document that has a text. The test of the samples finds the calls of it. */
export function blockOf(document: string, text: string): string {
  const samples = samplesOf(document).filter((sample) => hasText(sample, text));
  const [sample] = samples;
  if (sample === undefined || samples.length > 1)
    throw new Error(`${document} has ${samples.length} blocks with ${text}`);
  return sample.body;
}
