import type {} from 'vitest';
import type { TestDialect } from './create-test-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database of this leg of the tests: `inject('dialect')`. */
    dialect: TestDialect;
  }
}
