import { writeFileSync } from 'node:fs';
import { renderedDocuments } from './rendered-documents.js';

for (const [path, text] of Object.entries(renderedDocuments())) {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), text);
  process.stdout.write(`${path}\n`);
}
