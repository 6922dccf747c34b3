export { compileProgram } from './compile-program.js';

import './provided-context.js';

export { createTestDatabase, type TestDatabase, type TestDialect } from './create-test-database.js';
export { createTestFolder, type TestFolder } from './create-test-folder.js';
export { findMariadb, type MariadbInstallation } from './find-mariadb.js';
export { printMeasurements } from './print-measurements.js';
export { isStressRun, rounds } from './rounds.js';
export { type LossyLink, startLossyLink } from './start-lossy-link.js';
export {
  type PrivateMariadb,
  type PrivateMariadbOptions,
  startPrivateMariadb,
} from './start-private-mariadb.js';
