export { blockOf } from './block-of.js';
export { compileProgram } from './compile-program.js';

import './provided-context.js';

export { findMariadb, type MariadbInstallation } from './find-mariadb.js';
export { printMeasurements } from './measure-paint.js';
export { isStressRun, rounds } from './rounds.js';
export { type LossyLink, startLossyLink } from './start-faulty-link.js';
export {
  type PrivateMariadb,
  type PrivateMariadbOptions,
  startPrivateMariadb,
} from './start-private-mariadb.js';
export { createTestDatabase, type TestDatabase, type TestDialect } from './test-database.js';
export { createTestFolder, type TestFolder } from './test-files.js';
