/** Tests, and the support code that only they import. */
export function isTestPath(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/src/test/');
}
