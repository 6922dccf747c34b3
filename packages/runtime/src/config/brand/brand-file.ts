import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { decodeText, UnreadableTextError } from '../../text/decode-text.js';
import { type Brand, brandSchema } from './brand.js';

const LARGEST_BYTES = 256_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The path of a brand file, read at once: a wrong one is a problem of the configuration. */
export const brandFile = z.string().transform((path, context): Brand => {
  const found = readBrand(path);
  if (!Array.isArray(found)) return found;
  for (const message of found) context.addIssue(message);
  return z.NEVER;
});

/** The brand of a file, or what is wrong with it. */
function readBrand(path: string): Brand | string[] {
  const bytes = readSmall(path);
  if (bytes === undefined) return ['is not a file that can be read, of at most 256 kB'];
  const content = parseJson(bytes);
  if (content instanceof UnreadableTextError) return [content.message];
  if (content === undefined) return ['is not JSON'];
  const parsed = brandSchema.safeParse(content);
  if (!parsed.success) return parsed.error.issues.map(told);
  const { logo, ...brand } = parsed.data;
  if (logo === undefined) return brand;
  const image = readSmall(join(dirname(path), logo));
  if (image === undefined) return ['logo is not a file that can be read, of at most 256 kB'];
  const kind = extname(logo).toLowerCase();
  if (!isImage(kind, image)) return [`logo is no ${kind.slice(1).toUpperCase()}`];
  return { ...brand, logo: { fileName: `logo${kind}`, bytes: image } };
}

function readSmall(path: string): Buffer | undefined {
  try {
    const { size } = statSync(path);
    return size <= LARGEST_BYTES ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decodeText(bytes));
  } catch (error) {
    return error instanceof UnreadableTextError ? error : undefined;
  }
}

function isImage(kind: string, bytes: Buffer): boolean {
  if (kind === '.png') return bytes.subarray(0, PNG.length).equals(PNG);
  return /<svg[\s>]/.test(bytes.toString('utf8'));
}

function told({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return `${[...path, ''].join('.')}${issue.keys.join(', ')} is not known`;
  return `${path.join('.')} ${message}`.trim();
}
