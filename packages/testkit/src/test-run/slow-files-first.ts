import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = /^\/\/ @module-tag slow$/m;

/**
 * Begins each project with the files that take many seconds, so that none of them runs alone at the end. A new clone has no times
 * of earlier runs, and by size Vitest would run files last that only import the tests of others.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Map<unknown, [slow: TestSpecification[], others: TestSpecification[]]>();
    for (const file of sorted) {
      const [slow, others] = projects.get(file.project) ?? [[], []];
      projects.set(file.project, [slow, others]);
      (SLOW.test(readFileSync(file.moduleId, 'utf8')) ? slow : others).push(file);
    }
    return [...projects.values()].flat(2);
  }
}
