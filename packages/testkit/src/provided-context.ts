import type {} from 'vitest';
import type { TestDialect } from './test-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database of these tests: `inject('dialect')`. */
    dialect: TestDialect;
  }
}
